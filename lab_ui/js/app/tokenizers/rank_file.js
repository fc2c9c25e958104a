/** Recognises rank files (`*.tiktoken`): they do not say how text is split, so the user must name a pattern. */

const START_BYTES = 400;
const LINE = /^[A-Za-z0-9+/]+={0,2} \d+$/;

/** Whether a text starts with the lines of a rank file: a token in base64 and its rank. @param {string} start */
export const isRankText = start => {
  const lines = start.split(/\r?\n/);
  if (lines.length > 1) lines.pop(); // it may be cut off
  return lines.length > 0 && lines.every(line => LINE.test(line));
};

/** @param {Blob[]} files that were chosen together @returns {Promise<boolean>} whether they are one rank file */
export async function isRankFile(files) {
  if (files.length !== 1) return false;
  return isRankText(await files[0].slice(0, START_BYTES).text());
}
