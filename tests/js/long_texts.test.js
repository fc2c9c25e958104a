import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longBody } from '../../lab_ui/js/api/client.js';
import { Yielder } from '../../lab_ui/js/util/yielder.js';
import { TextSlice } from '../../lab_ui/js/text/text_slice.js';

const TEXT = 'a "é" \\ 語 👩‍🔬\n\u0000\u2028 ';
const slice = text =>
  new TextSlice(
    /** @type {any} */ ({ length: text.length, sliceString: (from, to = text.length) => text.slice(from, to) }),
  );

test('a long body is the JSON of its fields and the text', async () => {
  for (const text of ['', TEXT, `${'x'.repeat((1 << 18) - 1)}👩${TEXT.repeat(20_000)}`]) {
    const body = await longBody(
      { tokenizers: ['a"b'], ignore_spaces: null },
      text,
      new Yielder(),
      new AbortController().signal,
    );
    assert.deepEqual(JSON.parse(await body.text()), { tokenizers: ['a"b'], ignore_spaces: null, text });
  }
});

test('bytes before a place are those of UTF-8', () => {
  const text = `${'x'.repeat((1 << 18) - 1)}👩${TEXT}`;
  const encoder = new TextEncoder();
  for (const at of [0, 5, 100, (1 << 18) + 1, text.length])
    assert.equal(slice(text).bytesBefore(at), encoder.encode(text.slice(0, at)).length);
});

test('a pair of surrogates is not cut', () => {
  const text = slice('a👩\udc00b');
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map(at => text.betweenCharacters(at)),
    [0, 1, 1, 3, 4, 5],
  );
});
