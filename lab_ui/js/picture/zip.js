/**
 * Files in one ZIP, stored as they are: pictures are compressed already.
 * Source: APPNOTE.TXT of PKWARE, 4.3.7 (local header), 4.3.12 (central directory), 4.3.16 (its end).
 */
import { crc32 } from './crc32.js';

const VERSION = 20;
const UTF8 = 1 << 11; // names are UTF-8
const EARLIEST = (1 << 5) | 1; // 1 January 1980: the same files make the same ZIP
const encoder = new TextEncoder();

/** @param {{name: string, data: Uint8Array<ArrayBuffer>}[]} files @returns {Blob} */
export function zipOf(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const { name, data } of files) {
    const path = encoder.encode(name);
    const facts = [VERSION, UTF8, 0, 0, EARLIEST, ...wide(crc32(data)), ...wide(data.length), ...wide(data.length)];
    const head = words(0x4b50, 0x0403, ...facts, path.length, 0);
    directory.push(words(0x4b50, 0x0201, VERSION, ...facts, path.length, 0, 0, 0, 0, 0, 0, ...wide(offset)), path);
    parts.push(head, path, data);
    offset += head.length + path.length + data.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = words(0x4b50, 0x0605, 0, 0, files.length, files.length, ...wide(size), ...wide(offset), 0);
  return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}

/** The halves of a number of 32 bits. @param {number} n */
const wide = n => [n & 0xffff, n >>> 16];

/** Numbers of 16 bits, the low byte first. @param {number[]} values */
const words = (...values) => new Uint8Array(values.flatMap(value => [value & 0xff, value >>> 8]));
