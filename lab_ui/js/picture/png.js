/** A picture as PNG: drawn by the browser from its SVG, with texts that say how it was made. */
import { crc32 } from './crc32.js';
import { imageOf } from './svg_image.js';

/** The largest width and height that every browser draws, in pixels. */
export const MOST_PIXELS = 16_384;
const START = 8; // bytes of the signature
const encoder = new TextEncoder();

/**
 * @param {{svg: string, width: number, height: number}} picture
 * @param {number} wanted pixels for one of the screen; fewer if there would be too many
 * @param {Object<string, string>} texts by keyword, as the PNG specification names them
 * @param {number} [dotsPerInch] that the picture says it has
 * @returns {Promise<Blob>}
 */
export async function pngOf({ svg, width, height }, wanted, texts, dotsPerInch) {
  const scale = Math.min(wanted, Math.floor(MOST_PIXELS / Math.max(width, height)));
  if (scale < 1)
    throw Object.assign(
      new Error(`The picture would be ${width} pixels wide and ${height} high; PNG holds at most ${MOST_PIXELS}.`),
      { hint: 'Save it as SVG, or make a picture of a part of the text.' },
    );
  const bytes = new Uint8Array(await (await drawn(svg, width * scale, height * scale)).arrayBuffer());
  const first = START + 12 + new DataView(bytes.buffer).getUint32(START); // after the header
  const chunks = Object.entries(texts).map(([keyword, text]) => textChunk(keyword, text));
  if (dotsPerInch) chunks.push(densityChunk(dotsPerInch));
  return new Blob([bytes.subarray(0, first), ...chunks, bytes.subarray(first)], { type: 'image/png' });
}

/** @param {string} svg @param {number} width @param {number} height */
async function drawn(svg, width, height) {
  const image = await imageOf(svg);
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  canvas.getContext('2d')?.drawImage(image, 0, 0, width, height);
  return new Promise((done, fail) => {
    canvas.toBlob(blob => (blob ? done(blob) : fail(new Error('the picture could not be drawn'))), 'image/png');
  });
}

/**
 * A chunk of text in UTF-8, not compressed. Source: PNG specification, 11.3.3.4 iTXt.
 * @param {string} keyword Latin letters @param {string} text
 */
export function textChunk(keyword, text) {
  return chunkOf(encoder.encode(`iTXt${keyword}\0\0\0\0\0${text.replaceAll('\0', '')}`));
}

/** How many pixels a metre has. Source: PNG specification, 11.3.4.3 pHYs. @param {number} dotsPerInch */
export function densityChunk(dotsPerInch) {
  const data = new Uint8Array(13);
  data.set(encoder.encode('pHYs'));
  const view = new DataView(data.buffer);
  for (const at of [4, 8]) view.setUint32(at, Math.round(dotsPerInch / 0.0254));
  data[12] = 1; // metres
  return chunkOf(data);
}

/** @param {Uint8Array} data the type and what it holds */
function chunkOf(data) {
  const chunk = new Uint8Array(data.length + 8);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length - 4);
  chunk.set(data, 4);
  view.setUint32(data.length + 4, crc32(data));
  return chunk;
}
