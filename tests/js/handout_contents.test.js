/** Packed bytes of a handout come out as they went in. */
import assert from 'node:assert/strict';
import test from 'node:test';
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
