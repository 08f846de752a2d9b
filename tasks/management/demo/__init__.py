"""The parts of `manage.py demo`: its accounts, its visitor at the web form's door, what it shows in the terminal."""
