"""Speed: what it is, what it depends on, and how sure a figure is."""
