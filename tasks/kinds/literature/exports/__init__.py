"""What leaves the house: the records of a set as files other programs open."""
