"""The records of a set as files for other programs, and the JSON Schema that describes them."""
