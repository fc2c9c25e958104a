"""The lab as a program: its server on this machine, the window around the page, one instance at a time."""
