"""Speed: how it is measured, what it depends on, and how sure a figure is. Each engine runs in a process of its own."""
