"""What happens to a request before a page sees it."""
