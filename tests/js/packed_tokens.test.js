import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Yielder } from '../../lab_ui/js/util/yielder.js';
import { unpack, unpackLong } from '../../lab_ui/js/text/packed_tokens.js';

test('every way of saying a place is read, in order', () => {
  const arrays = {
    '1/ids': Uint32Array.of(101, 1, 2, 3, 4, 5, 102),
    // template; plain; a gap of one; half of é and its other half; wide; template
    '1/flags': Uint8Array.of(3, 0, 64, 16 | 32, 8 | 32 | 64, 128 | 4, 3),
    '1/lengths': Uint8Array.of(0, 2, 3, 1, 1, 0, 0),
    '1/extra': Uint8Array.of(129, 129, 1, 128, 127, 1),
    '1/wide': Uint32Array.of(8, 1008, 7, 907),
  };
  const found = unpack(arrays, '1/');
  assert.deepEqual([...found.start_utf8], [0, 0, 3, 6, 7, 8, 0]);
  assert.deepEqual([...found.end_utf8], [0, 2, 6, 7, 8, 1008, 0]);
  assert.deepEqual([...found.start_utf16], [0, 0, 3, 6, 6, 7, 0]);
  assert.deepEqual([...found.end_utf16], [0, 2, 6, 7, 7, 907, 0]);
  assert.deepEqual([...found.flags], [3, 0, 0, 16, 8, 4, 3]);
  assert.deepEqual([...arrays['1/flags']], [3, 0, 64, 48, 104, 132, 3], 'the answer is as it was');
});

/** Tokens at random, of every kind. */
function many(count) {
  const draw = most => Math.floor(Math.random() * most);
  const kinds = [0, 0, 0, 3, 32, 64, 96, 128, 8];
  const extra = [];
  const wide = [];
  const flags = Uint8Array.from({ length: count }, () => kinds[draw(kinds.length)]);
  for (const bits of flags) {
    if (bits & 128) wide.push(draw(999), draw(999), draw(999), draw(999));
    else for (let n = (bits & 64 ? 2 : 0) + (bits & 32 ? 1 : 0); n > 0; n--) extra.push(128 + draw(9));
  }
  return {
    '0/ids': Uint32Array.from(flags.keys()),
    '0/flags': flags,
    '0/lengths': Uint8Array.from(flags, () => draw(20)),
    '0/extra': Uint8Array.from(extra),
    '0/wide': Uint32Array.from(wide),
  };
}

test('read in pieces it is what is read at once', async () => {
  const arrays = many(250_001);
  assert.deepEqual(await unpackLong(arrays, '0/', new Yielder(), new AbortController().signal), unpack(arrays, '0/'));
});

test('a part of a text is read as part of it', () => {
  const arrays = many(500);
  const here = unpack(arrays, '0/');
  const moved = unpack(arrays, '0/', { utf8: 1000, utf16: 300 });
  const by = (name, more) => Array.from(here[name], (place, i) => place + (here.flags[i] & 2 ? 0 : more));
  for (const [name, more] of [
    ['start_utf8', 1000],
    ['end_utf8', 1000],
    ['start_utf16', 300],
    ['end_utf16', 300],
  ])
    assert.deepEqual([...moved[name]], by(name, more));
});

test('reading that nobody waits for any more ends', async () => {
  const abort = new AbortController();
  const yielder = {
    maybeYield: async signal => {
      abort.abort();
      signal.throwIfAborted();
    },
  };
  await assert.rejects(unpackLong(many(250_001), '0/', /** @type {any} */ (yielder), abort.signal), {
    name: 'AbortError',
  });
});
