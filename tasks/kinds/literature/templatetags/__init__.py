"""Words and pictures that the templates of literature sets share."""
