"""Charts of an analysis: each is a plotly figure with a title, a table of its values and a sentence that sums it up.

The page, reports and notebooks draw the same figure. Colours are names of the page's style sheet, such as `var(--a)`; the
page resolves them for its theme, `look.printed` for paper. One file per chart; `registry` lists them.
Not here: metrics (`lab_app.analysis.corpus`), drawing in the page (`lab_ui/js/ui/chart.js`).
"""
