/** An SVG as an image of the browser. */

/** @param {string} svg @returns {Promise<HTMLImageElement>} ready to be drawn */
export async function imageOf(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  const image = new Image();
  try {
    image.src = url;
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(url);
  }
}
