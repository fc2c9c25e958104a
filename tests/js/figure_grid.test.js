/** A chart is there on every visit, not only on the first. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './page.js';

const { FigureGrid } = await import('../../lab_ui/js/ui/figure_grid.js');

const figureOf = name => ({
  name,
  title: name,
  subtitle: '',
  summary: '',
  figure: { data: [], layout: {} },
  table: { head: [], rows: [] },
});
const reasonOf = name => ({ name, title: name, reason: 'Not measured.' });

function shownIn(grid) {
  return [...grid.querySelectorAll('.figure-cell')].map(
    cell => cell.querySelector('lab-chart')?.chart ?? cell.textContent,
  );
}

test('each figure is drawn on every visit', async () => {
  const grid = new FigureGrid();
  document.body.append(grid);
  const [first, second, reason] = [figureOf('fertility'), figureOf('continued_words'), reasonOf('premium')];
  for (const figures of [[first], [second], [first], [reason], [first, second], [reason], [second]]) {
    await grid.show(figures);
    assert.deepEqual(
      shownIn(grid),
      figures.map(figure => (figure.reason === undefined ? figure : 'premiumNot measured.')),
    );
  }
});

test('a figure that is shown again stays as it is drawn', async () => {
  const grid = new FigureGrid();
  document.body.append(grid);
  const figure = figureOf('fertility');
  await grid.show([figure]);
  const chart = grid.querySelector('lab-chart');
  chart.showFigure = () => assert.fail('drawn twice');
  await grid.show([figure, reasonOf('premium')]);
  assert.equal(grid.querySelector('lab-chart'), chart);
});

test('an empty grid says that figures are on their way', async () => {
  const grid = new FigureGrid();
  document.body.append(grid);
  grid.wait();
  grid.wait();
  assert.equal(grid.textContent, 'Loading the charts…');
  await grid.show([figureOf('fertility')]);
  const shown = grid.textContent;
  grid.wait();
  assert.deepEqual([shownIn(grid).length, grid.textContent], [1, shown]);
  await grid.show([]);
  assert.equal(grid.textContent, '');
});

test('more values of a figure keep what is zoomed to', async () => {
  const grid = new FigureGrid();
  document.body.append(grid);
  await grid.show([figureOf('counts')]);
  const asked = [];
  grid.querySelector('lab-chart').showFigure = (_, options) => asked.push(options.isNewer);
  await grid.show([figureOf('counts')], { isNewer: true });
  await grid.show([figureOf('counts')]);
  assert.deepEqual(asked, [true, false]);
});
