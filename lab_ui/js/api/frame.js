/**
 * Reads the binary answers of the backend: a JSON header and typed arrays that are views of the answer, not copies.
 * The layout is described in docs/reference/http-api.md under "The frame".
 */

const MAGIC = 0x31464c54; // "TLF1", little-endian
const TYPES = { u1: Uint8Array, u4: Uint32Array, u8: BigUint64Array };

/**
 * @param {ArrayBuffer} buffer
 * @returns {{header: Object, arrays: Object<string, Uint8Array|Uint32Array|BigUint64Array>}}
 * @throws {RangeError} when the bytes are no frame, or one that was cut short
 */
export function decodeFrame(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < 8 || view.getUint32(0, true) !== MAGIC)
    throw new RangeError('the answer is not a frame: it does not begin with TLF1');
  const bodyStart = 8 + view.getUint32(4, true);
  if (bodyStart > buffer.byteLength)
    throw new RangeError(`the frame ends at byte ${buffer.byteLength}, inside its header`);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, bodyStart - 8)));
  const arrays = {};
  for (const { name, dtype, length, offset } of header.arrays) {
    const Type = TYPES[dtype];
    if (!Type) throw new RangeError(`the frame's array ${name} has the unknown type ${dtype}`);
    const start = bodyStart + offset;
    if (start + length * Type.BYTES_PER_ELEMENT > buffer.byteLength)
      throw new RangeError(`the frame ends at byte ${buffer.byteLength}, inside its array ${name}`);
    arrays[name] = new Type(buffer, start, length);
  }
  return { header, arrays };
}
