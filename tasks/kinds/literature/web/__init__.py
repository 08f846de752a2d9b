"""The pages and the HTTP door of literature sets. No rules here: parse, call one verb, render."""
