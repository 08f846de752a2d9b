"""How the house is wired: settings, addresses, the two ways in (manage.py, ASGI) and the embedded database."""
