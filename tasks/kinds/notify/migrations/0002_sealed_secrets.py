from django.db import migrations, models


def seal_what_is_there(apps, schema_editor):
    from tasks.kinds.notify.sealing import seal

    for wish in apps.get_model("notify", "Wish").objects.exclude(sealed="").iterator():
        wish.sealed = seal(wish.sealed)
        wish.save(update_fields=["sealed"])


def unseal_again(apps, schema_editor):
    from tasks.kinds.notify.sealing import unseal

    for wish in apps.get_model("notify", "Wish").objects.exclude(sealed="").iterator():
        wish.sealed = unseal(wish.sealed)
        wish.save(update_fields=["sealed"])


class Migration(migrations.Migration):
    dependencies = [("notify", "0001_initial")]

    operations = [
        migrations.RenameField("wish", "secret", "sealed"),
        migrations.AlterField("wish", "sealed", models.CharField(blank=True, max_length=300)),
        migrations.RunPython(seal_what_is_there, unseal_again),
    ]
