"""What learners do: place boundaries, solve a sheet of tasks, keep what they solved, follow a plan."""
