/** A table of data: the names of rows are heads, and cells have the class of their column. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './page.js';

const { numbers, table } = await import('../../lab_ui/js/ui/table.js');

test('the rows of a column without a label are named by their first cell', () => {
  const made = table({ caption: 'Lengths', columns: ['', numbers('A')], rows: [['Mean', '<i>1</i>']] });
  assert.equal(made.querySelector('caption').textContent, 'Lengths');
  const [corner, label] = made.querySelector('thead tr').children;
  assert.deepEqual([corner.tagName, label.getAttribute('scope'), label.className], ['TD', 'col', 'number']);
  const [name, value] = made.querySelector('tbody tr').children;
  assert.deepEqual(
    [name.tagName, name.getAttribute('scope'), value.tagName, value.className],
    ['TH', 'row', 'TD', 'number'],
  );
  assert.equal(value.textContent, '<i>1</i>', 'text is never markup');
});

test('labels, caption and head can be for screen readers alone', () => {
  const made = table({
    caption: 'Runs',
    isCaptionHidden: true,
    isHeadHidden: true,
    columns: [
      { label: 'Open', isHidden: true },
      { label: 'What', className: 'what' },
    ],
    rows: [{ properties: { 'data-run': '7' }, cells: ['a', ['b', 'c']] }],
  });
  assert.deepEqual(
    [made.querySelector('caption').className, made.querySelector('thead').className],
    ['visually-hidden', 'visually-hidden'],
  );
  const [open, what] = made.querySelector('thead tr').children;
  assert.equal(open.firstChild.className, 'visually-hidden');
  assert.equal(what.className, '', 'a label has a class of its own');
  const row = made.querySelector('tbody tr');
  assert.deepEqual([row.dataset.run, row.children[1].className, row.children[1].textContent], ['7', 'what', 'bc']);
});
