"""Results as files that people read or work on: pages, Markdown, LaTeX, CSV, charts."""
