/** A long list shows the rows that were asked for last, and reads pages as they come into the window. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './page.js';

const { PagedList } = await import('../../lab_ui/js/ui/paged_list.js');
const settled = () => new Promise(resolve => setTimeout(resolve));

/** A list without a window. */
const fakeList = () =>
  Object.assign(new EventTarget(), { scrollTop: 9, chosen: 3, count: 0, drawn: 0, redraw: () => {} });
const pageOf = (name, offset, limit) => Array.from({ length: limit }, (_, n) => `${name}${offset + n}`);

test('an answer that comes late is not shown', async () => {
  const list = /** @type {any} */ (fakeList());
  const rows = new PagedList(list, 2);
  let answer = /** @type {(page: any) => void} */ (() => {});
  const late = rows.show(() => new Promise(resolve => (answer = resolve)));
  assert.equal(await rows.show(async (offset, limit) => ({ total: 5, rows: pageOf('b', offset, limit) })), 5);
  answer({ total: 9, rows: pageOf('a', 0, 2) });
  assert.equal(await late, null);
  assert.deepEqual([list.count, list.scrollTop, list.chosen, rows.read(0)], [5, 0, -1, 'b0']);
  assert.deepEqual([rows.at(3), rows.placeOf(row => row === 'b1')], [undefined, 1]);
  await settled();
  assert.equal(rows.at(3), 'b3', 'its page was read');
});

test('a page that could not be read is asked for again after a scroll', async () => {
  const list = /** @type {any} */ (fakeList());
  const problems = [];
  const rows = new PagedList(list, 2, error => problems.push(error.message));
  let isGone = false;
  await rows.show(async (offset, limit) => {
    if (isGone) throw new Error('gone');
    return { total: 9, rows: pageOf('a', offset, limit) };
  });
  isGone = true;
  rows.at(2);
  await settled();
  isGone = false;
  rows.at(2);
  await settled();
  assert.deepEqual([problems, rows.read(2)], [['gone'], undefined]);
  list.dispatchEvent(new Event('scroll'));
  rows.at(2);
  await settled();
  assert.equal(rows.read(2), 'a2');
});
