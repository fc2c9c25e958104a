/** Packed bytes of a handout come out as they went in. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { addressOf, readAddress } from '../../lab_ui/js/handout/address.js';
import { bytesOf } from '../../lab_ui/js/handout/contents.js';

test('signs become the bytes that Python packed, whatever the length', () => {
  /** @type {[string, number[]][]} as `base64.b85encode` of Python writes them, with a comma for `<` */
  const cases = [
    ['', []],
    ['VE', [97]],
    ['VPX', [97, 98]],
    ['VPaz', [97, 98, 99]],
    ['VPa!s', [97, 98, 99, 100]],
    ['VPa!sVE', [97, 98, 99, 100, 97]],
    ['|NsC0', [255, 255, 255, 255]],
    ['00000', [0, 0, 0, 0]],
  ];
  for (const [text, bytes] of cases) assert.deepEqual([...bytesOf(text)], bytes, text);
});

test('an address says what a handout shows, and reads what it wrote', () => {
  /** @type {any[]} */
  const places = [
    { text: 'a b&c#', way: 'do', at: 3, seed: 4 },
    { text: '', way: 'watch' },
    { text: '日本 🙂\n' },
    { text: 'low', way: 'watch', at: 0, seed: 0 },
  ];
  for (const place of places)
    assert.deepEqual(readAddress(addressOf('utf8-gpt2', place)), { show: 'utf8-gpt2', ...place });
  for (const text of ['a'.repeat(2001), '\ud83d'])
    assert.deepEqual(readAddress(addressOf('x', { text, way: 'do', at: 7, seed: 1 })), { show: 'x', way: 'do' });
  const own = 'a'.repeat(2001);
  assert.deepEqual(readAddress(addressOf('x', { text: own, at: 7 }, own)), { show: 'x', at: 7 });
  assert.deepEqual(readAddress('#way=fly&at=-1&seed=1.5'), { show: null });
  assert.deepEqual(readAddress(''), { show: null });
});
