"""Regular expressions against hostile text: every one of the product, and inputs made from its own parts."""
