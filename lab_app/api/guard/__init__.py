"""What every request passes first: whose it is, whether it may be asked, and how much of it is read."""
