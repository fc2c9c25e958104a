import assert from 'node:assert/strict';
import test from 'node:test';
import { crc32 } from '../../lab_ui/js/picture/crc32.js';
import { zipOf } from '../../lab_ui/js/picture/zip.js';

const bytes = text => new TextEncoder().encode(text);

test('the checksum is that of the PNG specification', () => {
  assert.equal(crc32(bytes('123456789')), 0xcbf43926);
});

test('a ZIP names its files and where each begins', async () => {
  const files = [
    { name: 'zipf.svg', data: bytes('<svg/>') },
    { name: 'Zipf, größer.csv', data: bytes('"a"\r\n') },
  ];
  const whole = new Uint8Array(await zipOf(files).arrayBuffer());
  const view = new DataView(whole.buffer);
  const end = whole.length - 22;
  assert.deepEqual([view.getUint32(end, true), view.getUint16(end + 10, true)], [0x06054b50, 2]);
  let at = view.getUint32(end + 16, true);
  assert.equal(at + view.getUint32(end + 12, true), end);
  for (const { name, data } of files) {
    const length = bytes(name).length;
    const start = view.getUint32(at + 42, true);
    assert.deepEqual([view.getUint32(at, true), view.getUint32(start, true)], [0x02014b50, 0x04034b50]);
    for (const [facts, path] of [
      [at + 16, at + 46],
      [start + 14, start + 30],
    ]) {
      const sizes = [4, 8].map(more => view.getUint32(facts + more, true));
      assert.deepEqual([view.getUint32(facts, true), ...sizes], [crc32(data), data.length, data.length]);
      assert.deepEqual(whole.subarray(path, path + length), bytes(name));
    }
    assert.deepEqual(whole.subarray(start + 30 + length, start + 30 + length + data.length), data);
    at += 46 + length;
  }
});
