"""What runs, what waits and why: for pages, the admin and metrics."""
