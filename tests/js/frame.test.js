import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeFrame } from '../../lab_ui/js/api/frame.js';

function frame(header, body) {
  let text = JSON.stringify(header);
  while ((text.length + 8) % 8) text += ' ';
  const bytes = new Uint8Array(8 + text.length + body.length);
  bytes.set(new TextEncoder().encode('TLF1'));
  new DataView(bytes.buffer).setUint32(4, text.length, true);
  bytes.set(new TextEncoder().encode(text), 8);
  bytes.set(body, 8 + text.length);
  return bytes.buffer;
}

const arrays = [
  { name: 'ids', dtype: 'u4', length: 2, offset: 0 },
  { name: 'flags', dtype: 'u1', length: 3, offset: 8 },
  { name: 'rows', dtype: 'u8', length: 1, offset: 16 },
];
const body = Uint8Array.from([1, 0, 0, 0, 2, 1, 0, 0, 5, 6, 7, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0]);

test('reads header and arrays', () => {
  const { header, arrays: read } = decodeFrame(frame({ count: 2, arrays }, body));
  assert.equal(header.count, 2);
  assert.deepEqual([...read.ids], [1, 258]);
  assert.deepEqual([...read.flags], [5, 6, 7]);
  assert.deepEqual([...read.rows], [9n]);
});

test('arrays are views of the answer, not copies', () => {
  const buffer = frame({ arrays }, body);
  assert.equal(decodeFrame(buffer).arrays.ids.buffer, buffer);
});

for (const [what, buffer, words] of [
  ['no frame', new TextEncoder().encode('{"error": 1}').buffer, /TLF1/],
  ['nothing', new ArrayBuffer(0), /TLF1/],
  ['a header cut short', frame({ arrays }, body).slice(0, 20), /inside its header/],
  ['an array cut short', frame({ arrays }, body.subarray(0, 10)), /inside its array flags/],
  ['an unknown type', frame({ arrays: [{ name: 'x', dtype: 'f9', length: 1, offset: 0 }] }, body), /unknown type f9/],
])
  test(`refuses ${what}`, () => assert.throws(() => decodeFrame(buffer), words));
