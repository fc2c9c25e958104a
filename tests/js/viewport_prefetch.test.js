import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ViewportPrefetch } from '../../lab_ui/js/text/viewport_prefetch.js';

test('the window is asked for with as much again around it, and only once', async () => {
  const asked = [];
  const look = new ViewportPrefetch(
    100_000,
    () => ({ from: 50_000, to: 52_000 }),
    async range => {
      asked.push(range);
      return true;
    },
  );
  await look.look();
  await look.look();
  assert.deepEqual(asked, [{ from: 47_000, to: 55_000 }]);
});

test('where one scrolled to is asked for, also while another place is asked for', async () => {
  const asked = [];
  let at = 0;
  let release = () => {};
  const look = new ViewportPrefetch(
    100_000,
    () => ({ from: at, to: at + 1000 }),
    async ({ from }) => {
      asked.push(from);
      if (asked.length === 1)
        await new Promise(done => {
          release = () => done(undefined);
        });
      return true;
    },
  );
  const looked = look.look();
  at = 90_000;
  await look.look();
  assert.deepEqual(asked, [0], 'one at a time');
  release();
  await looked;
  assert.deepEqual(asked, [0, 88_000]);
});

test('what is asked for is within the text, and never nothing', async () => {
  for (const [from, to] of [
    [120_000, 121_000],
    [99_990, 140_000],
    [-9, -3],
  ]) {
    const asked = [];
    const look = new ViewportPrefetch(
      100_000,
      () => ({ from, to }),
      async range => {
        asked.push(range);
        return true;
      },
    );
    await look.look();
    assert.equal(asked.length, 1);
    assert.ok(asked[0].from >= 0 && asked[0].from < asked[0].to && asked[0].to <= 100_000, JSON.stringify(asked));
  }
});

test('nothing is asked for any more where nothing can be told, it failed, or the whole is there', async () => {
  for (const answer of [
    async () => false,
    async () => {
      throw new Error('gone');
    },
  ]) {
    let asked = 0;
    const look = new ViewportPrefetch(
      9,
      () => ({ from: asked * 9999, to: asked * 9999 + 9 }),
      () => {
        asked++;
        return answer();
      },
    );
    await look.look();
    await look.look();
    assert.equal(asked, 1);
    assert.equal(look.isOver, true);
  }
  const look = new ViewportPrefetch(
    9,
    () => ({ from: 0, to: 9 }),
    async () => assert.fail(),
  );
  look.end();
  await look.look();
});
