// Draws the charts of the report. Part of the script that plotly.js begins.
const CONFIG = { displayModeBar: false, doubleClick: 'reset', showTips: false, typesetMath: false };
const figures = JSON.parse(document.getElementById('figures').textContent);

for (const plot of document.querySelectorAll('.plot')) {
  const { data, layout } = figures[plot.dataset.chart];
  const height = layout.height ?? 340;
  const draw = () => Plotly.react(plot, data, { ...layout, width: plot.clientWidth, height, uirevision: 1 }, CONFIG);
  let width = 0;
  plot.style.height = `${height}px`;
  new ResizeObserver(() => {
    if (plot.clientWidth === width) return;
    width = plot.clientWidth;
    draw();
  }).observe(plot);
}
