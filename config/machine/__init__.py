"""The processes and the embedded database that make one machine a whole Sheaf."""
