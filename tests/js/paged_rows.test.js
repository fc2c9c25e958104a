/** Rows that are read page by page. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { PagedRows } from '../../lab_ui/js/api/paged_rows.js';

const settled = () => new Promise(resolve => setImmediate(resolve));

test('rows that were read are found, and looked at without reading more', async () => {
  const asked = [];
  const rows = new PagedRows(['a', 'b'], 2, async offset => ({ rows: asked.push(offset) ? ['c', 'd'] : [] }), {
    loaded: () => {},
    fail: () => {},
  });
  assert.deepEqual([rows.read(1), rows.read(2), rows.placeOf(row => row === 'd')], ['b', undefined, -1]);
  await settled();
  assert.deepEqual(asked, []);
  rows.at(2);
  await settled();
  assert.deepEqual([rows.read(3), rows.placeOf(row => row === 'd'), rows.placeOf(row => row === 'a')], ['d', 3, 0]);
});

test('a page is read when a row of it is drawn, and again after a failure', async () => {
  const asked = [];
  const failed = [];
  let isBroken = true;
  let loaded = 0;
  const load = async (offset, limit) => {
    asked.push(offset);
    if (isBroken) throw new Error('broken');
    return { rows: Array.from({ length: limit }, (_, n) => offset + n) };
  };
  const rows = new PagedRows([0, 1, 2], 3, load, {
    loaded: () => loaded++,
    fail: ({ message }) => failed.push(message),
  });
  assert.deepEqual([rows.at(2), rows.at(4), rows.at(5), rows.at(10)], [2, undefined, undefined, undefined]);
  await settled();
  assert.deepEqual([asked, failed, loaded], [[3, 9], ['broken'], 0]);
  rows.at(4);
  await settled();
  assert.deepEqual(asked, [3, 9], 'what failed is not asked for at every drawing');
  isBroken = false;
  rows.retry();
  rows.at(4);
  await settled();
  assert.deepEqual([rows.at(4), loaded], [4, 1]);
});
