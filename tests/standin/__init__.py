"""A service that counts: what the engine's limits are measured against, since only the service itself knows the truth.

``server`` is the service, ``process`` starts it in a process of its own, ``kind`` is a Kind whose children call it.
"""
