/**
 * Reads the binary answers of the backend: a JSON header and typed arrays that are views of the answer, not copies.
 * docs/reference/http-api.md describes the layout under "The frame".
 */

/** @typedef {import('./types.js').Arrays} Arrays */

const MAGIC = 0x31464c54; // "TLF1", little-endian
/** @type {Object<string, Uint8ArrayConstructor|Uint32ArrayConstructor|BigUint64ArrayConstructor|undefined>} */
const TYPES = { u1: Uint8Array, u4: Uint32Array, u8: BigUint64Array };

/**
 * Splits a frame into its header and its arrays. The caller names the type of the header.
 * @template Header
 * @param {ArrayBuffer} buffer
 * @returns {import('./types.js').Frame<Header>}
 * @throws {RangeError} if the bytes are not a frame, or end too early
 */
export function decodeFrame(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < 8 || view.getUint32(0, true) !== MAGIC)
    throw new RangeError('the answer is not a frame: it does not begin with TLF1');
  const bodyStart = 8 + view.getUint32(4, true);
  if (bodyStart > buffer.byteLength)
    throw new RangeError(`the frame ends at byte ${buffer.byteLength}, inside its header`);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, bodyStart - 8)));
  /** @type {Object<string, Arrays[string]|BigUint64Array>} */
  const arrays = {};
  for (const { name, dtype, length, offset } of header.arrays) {
    const Type = TYPES[dtype];
    if (!Type) throw new RangeError(`the frame's array ${name} has the unknown type ${dtype}`);
    const start = bodyStart + offset;
    if (start + length * Type.BYTES_PER_ELEMENT > buffer.byteLength)
      throw new RangeError(`the frame ends at byte ${buffer.byteLength}, inside its array ${name}`);
    arrays[name] = new Type(buffer, start, length);
  }
  // Only `/tokenize_batch`, which the page does not call, answers with 64-bit arrays.
  return { header, arrays: /** @type {Arrays} */ (arrays) };
}
