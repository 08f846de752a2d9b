"""The only door to the network: total deadlines, size caps, checked addresses."""
