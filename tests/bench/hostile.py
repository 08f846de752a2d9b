"""Every regular expression of the product against hostile text of up to 300 KiB.

``patterns``: how many. ``worst_growth``: time at 2n over time at n of the worst of those that run in our own processes
(2 is linear); ``worst_ms``: the longest of them at 300 KiB. ``in_child``: how many more run in the killable child
alone, and how many of those grow faster than three times.
"""

from tests.bench import ground


def main(arguments: list[str]) -> dict:
    ground.prepare()
    from tests.hostile.found import everything
    from tests.hostile.measuring import GROWTH, worst
    from tests.unit.test_hostile_text import in_the_child

    found = everything()
    ours = [worst(one) for one in found if not in_the_child(one)]
    child = [worst(one) for one in found if in_the_child(one)] if "--child" in arguments else []
    for one in sorted(ours + child, key=lambda one: -one.growth)[:40]:
        ground.say(f"{one.growth:5.1f}  {one.ms:7.1f} ms  {one.where}  {one.text}")
    return {
        "patterns": len(found),
        "worst_growth": round(max(one.growth for one in ours), 2),
        "worst_ms": round(max(one.ms for one in ours), 1),
        "in_child": {
            "patterns": sum(map(in_the_child, found)),
            "fast_growing": sum(one.growth > GROWTH for one in child) if child else None,
        },
    }
