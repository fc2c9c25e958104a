/** What a chart of the backend becomes before Plotly draws it. */
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  cellWords,
  fitted,
  framed,
  inCentimetres,
  pictureSize,
  placeOf,
  pointWords,
  readable,
  themed,
  wrapped,
  zoomed,
} from '../../lab_ui/js/ui/chart_figure.js';

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

test('labels of a panel do not run into the panel on its left', () => {
  const axis = { tickvals: [0, 1], ticktext: ['&lt;img&gt;·src', '日本語の'] };
  const layout = {
    ...{ xaxis: {}, yaxis: axis, yaxis2: axis, yaxis3: axis, font: {}, margin: { l: 20, r: 0 } },
    grid: { rows: 2, columns: 2, xgap: 0.4 },
  };
  const made = fitted(layout, { width: 220, height: 300 }, 10);
  assert.deepEqual(made.yaxis2.ticktext, ['&lt;img&gt;·s…', '日本語…']);
  assert.deepEqual([made.yaxis.ticktext, made.yaxis3.ticktext], [axis.ticktext, axis.ticktext]);
  assert.deepEqual(fitted(layout, { width: 420, height: 300 }, 10).yaxis2.ticktext, axis.ticktext);
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
  assert.deepEqual([12345, 0.123456, null, 'x'].map(cellWords), ['12\u202f345', '0.1235', '–', 'x']);
});

test('the title of a picture wraps to its width, and there is room for every row of its key', () => {
  const subtitle = 'occurrences by rank; thin lines: fitted power law, exponent A 1.73, B 1.68, C 1.65, D 1.70';
  const keys = ['bert-base-uncased', 'gpt2', 'cl100k_base', 'wordpiece-4096-mycorpus.jsonl.gz'].map((name, n) => ({
    letter: 'ABCD'[n],
    name,
  }));
  const chart = /** @type {any} */ ({ title: 'Rank & frequency', subtitle, keys });
  for (const width of [300, 420, 900]) {
    const layout = { width, height: 400, margin: { t: 8, l: 48, r: 12, b: 40 }, font: { size: 13 } };
    const made = framed(layout, chart, '#fff');
    const lines = made.title.text.split('<br>');
    const room = width - 24;
    assert.ok(
      lines.every(line => line.replace(/<.*?>|amp;/g, '').length * 13 * 0.56 <= room),
      `at ${width} px`,
    );
    assert.equal(lines.join(' ').replaceAll('</b> <b>', ' '), `<b>Rank &amp; frequency</b> ${subtitle}`);
    const columns = Math.max(1, Math.floor(room / (made.legend.entrywidth + 46)));
    const needed = 12 + lines.length * 1.3 * 13 + Math.ceil(4 / columns) * 28;
    assert.ok(made.margin.t - 8 >= needed && made.height - 400 === made.margin.t - 8, 'the chart keeps its height');
    assert.ok(made.legend.y <= 1 - (12 + lines.length * 1.3 * 13) / made.height, 'the key is under the title');
  }
  const one = framed(
    { width: 300, height: 400, margin: { t: 8 }, font: { size: 13 } },
    { ...chart, keys: [keys[0]] },
    '#fff',
  );
  assert.equal(one.showlegend, false);
});

test('a text wraps at spaces, and inside a word that is longer than a line', () => {
  assert.deepEqual(wrapped('one two three', 7), ['one two', 'three']);
  assert.deepEqual(wrapped('an unbreakable word', 6), ['an', 'unbrea', 'kable', 'word']);
  assert.deepEqual(wrapped('日本語 です', 4), ['日本', '語', 'です'], 'wide characters count twice');
  assert.deepEqual(wrapped('', 4), ['']);
});

const COLUMN = { widthCm: 8.5, textPt: 8, hasTitle: true };

test('a picture is as it is drawn, or as wide and its text as large as a paper asks for', () => {
  const box = { width: 900, height: 400 };
  assert.deepEqual(pictureSize(box, 13, { ...COLUMN, widthCm: null }), { ...box, text: 13 });
  const { width, height, text } = pictureSize(box, 16, COLUMN);
  assert.deepEqual([width, height, text.toFixed(2)], [321, 267, '10.67']);
});

test('an SVG for a paper has its size in cm, whatever it is put into', () => {
  const svg = '<svg class="main-svg" xmlns="x" width="321" height="642" style=""><rect width="5" height="6"/></svg>';
  const made = inCentimetres(svg, { width: 321, height: 642 }, COLUMN);
  assert.match(
    made,
    /^<svg width="8.5cm" height="17.000cm" viewBox="0 0 321 642" class="main-svg" xmlns="x" style="">/,
  );
  assert.ok(made.endsWith('<rect width="5" height="6"/></svg>'));
  assert.equal(inCentimetres(svg, { width: 321, height: 642 }, { ...COLUMN, widthCm: null }), svg);
});

test('a figure whose caption says it all has a key, and no title', () => {
  const layout = { width: 321, height: 267, font: { size: 10 }, margin: { t: 10 } };
  const chart = { title: 'Title', subtitle: 'unit', keys: [{ name: 'a' }, { name: 'b' }] };
  const made = framed(layout, /** @type {any} */ (chart), 'white', false);
  assert.equal(made.title.text, '');
  assert.ok(made.showlegend);
  assert.ok(made.height < framed(layout, /** @type {any} */ (chart), 'white').height);
});
