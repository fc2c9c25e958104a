/** What a chart of the backend becomes before Plotly draws it. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { cellWords, fitted, placeOf, pointWords, readable, themed, zoomed } from '../../lab_ui/js/ui/chart_figure.js';

test('colours are resolved at any depth, numbers stay the same list', () => {
  const counts = [3, 2, null];
  const trace = {
    y: counts,
    marker: { color: ['var(--a)', 'red'] },
    colorscale: [[0, 'var(--panel)']],
    name: 'var(x)',
  };
  const made = themed(trace, name => `<${name}>`);
  assert.deepEqual(made.marker.color, ['<a>', 'red']);
  assert.deepEqual(made.colorscale, [[0, '<panel>']]);
  assert.equal(made.y, counts);
  assert.equal(made.name, 'var(x)');
});

test('named ticks stay level: those that would touch are dropped evenly', () => {
  const names = Array.from({ length: 60 }, (_, n) => `l${n}`);
  const layout = {
    xaxis: { tickvals: names.map((_, n) => n), ticktext: names },
    yaxis: { title: { text: 'y' } },
    font: {},
  };
  const wide = fitted(layout, { width: 2400, height: 300 }, 12);
  const narrow = fitted(layout, { width: 800, height: 300 }, 12);
  assert.equal(wide.xaxis.ticktext.length, 60);
  assert.deepEqual(narrow.xaxis.ticktext.slice(0, 2), ['l0', 'l3']);
  assert.equal(narrow.xaxis.tickvals.length, narrow.xaxis.ticktext.length);
  assert.equal(narrow.xaxis.tickangle, 0);
  const long = { ...layout, xaxis: { ...layout.xaxis, ticktext: names.map(name => `Serbian (Cyrillic) ${name}`) } };
  assert.ok(fitted(long, { width: 800, height: 300 }, 12).xaxis.ticktext.length < narrow.xaxis.ticktext.length / 2);
  assert.equal(narrow.yaxis.title.font.size, 12);
  assert.equal(layout.xaxis.ticktext.length, 60, 'the chart itself is as it was');
});

test('a point is read without markup, and as it was written', () => {
  const trace = { type: 'bar', x: [0], y: [1], hovertext: ['A gpt2<br>&lt;b&gt; &amp;amp;: 1'] };
  assert.equal(pointWords(trace, 0), 'A gpt2, <b> &amp;: 1');
  const heat = {
    type: 'heatmap',
    x: [0, 1],
    y: [0, 1],
    z: [
      [1, 2],
      [3, 4],
    ],
    hovertext: [
      ['a', 'b'],
      ['c', 'd'],
    ],
  };
  assert.deepEqual(placeOf(heat, 3), [1, 1]);
  assert.equal(pointWords(heat, 2), 'c');
  assert.deepEqual(readable([{ ...trace, hoverinfo: 'skip' }, trace]), [1]);
});

test('zoom keeps the value it is about where it is', () => {
  assert.deepEqual(zoomed([0, 4], 1, 0.5), [0.5, 2.5]);
  assert.deepEqual(zoomed([0.5, 2.5], 1, 2), [0, 4]);
});

test('cells are numbers for people; nothing measured is a dash', () => {
  assert.deepEqual([12345, 0.123456, null, 'x'].map(cellWords), ['12\u2009345', '0.1235', '–', 'x']);
});
