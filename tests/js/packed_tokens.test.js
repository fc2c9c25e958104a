import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unpack } from '../../lab_ui/js/lib/packed_tokens.js';

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
