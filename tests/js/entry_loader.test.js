import assert from 'node:assert/strict';
import test from 'node:test';
import { EntryLoader } from '../../lab_ui/js/api/entry_loader.js';

const settled = () =>
  new Promise(resolve => {
    setImmediate(resolve);
  });

/** Rows that are drawn again when something was loaded, and ask for what they lack each time. */
function listOf(ids, answers) {
  const known = new Set();
  const asked = [];
  const loader = new EntryLoader(
    async keys => {
      asked.push(keys);
      if (!answers()) return false;
      for (const key of keys) known.add(key);
      return true;
    },
    () => draw(),
  );
  const draw = () => {
    for (const id of ids) if (!known.has(id)) loader.want(id);
  };
  return { draw, asked, loader };
}

test('rows drawn together ask together, once', async () => {
  const { draw, asked } = listOf([3, 5, 3], () => true);
  draw();
  await settled();
  assert.deepEqual(asked, [[3, 5]]);
});

test('what cannot be had is asked for once, and again when it is worth a try', async () => {
  let works = false;
  const { draw, asked, loader } = listOf([3, 5], () => works);
  for (let n = 0; n < 5; n++) {
    draw();
    await settled();
  }
  assert.equal(asked.length, 1);
  works = true;
  loader.retry();
  draw();
  await settled();
  assert.deepEqual(asked, [
    [3, 5],
    [3, 5],
  ]);
});
