/**
 * Lays texts out as a whole, of a chosen width, while a picture is made of them. All of it happens in one task, so that
 * nothing of it is seen: the browser paints only what is there at its end.
 */

/** The longest text a picture is made of, in UTF-16 code units. */
export const LONGEST_PICTURE = 50_000;
const PATIENCE_FRAMES = 300;

/** @typedef {import('../editor/token_text.js').TokenText} TokenText */

/**
 * @template T
 * @param {HTMLElement} element what the texts are in, or the only text
 * @param {TokenText[]} texts
 * @param {number|null} width in pixels; null: as on the screen
 * @param {() => T} work called while all of the texts is laid out
 * @returns {T}
 */
export function withWholeTexts(element, texts, width, work) {
  const before = element.style.cssText;
  const wide = width ?? element.getBoundingClientRect().width;
  const tops = texts.map(({ view }) => view.scrollDOM.scrollTop);
  element.dataset.picture = '';
  element.style.setProperty('--picture-width', `${wide}px`);
  const undo = texts.map((text, n) => text.layOutWhole(tops[n]));
  try {
    return work();
  } finally {
    delete element.dataset.picture;
    element.style.cssText = before;
    for (const back of undo) back();
  }
}

/**
 * Waits for the spellings of all tokens, which the screen asks for where they are in the window; gives up on those that
 * cannot be read.
 * @param {TokenText[]} texts
 */
export async function spelled(texts) {
  for (let frame = 0; frame < PATIENCE_FRAMES && !texts.every(text => text.isSpelled); frame++)
    await new Promise(requestAnimationFrame);
}

/**
 * Refuses texts that are too long, or whose tokens are not all known.
 * @param {TokenText[]} texts @param {boolean} isCurrent whether their tokens are those of the settings as they are
 */
export function checkPicture(texts, isCurrent) {
  const longest = Math.max(...texts.map(({ view }) => view.state.doc.length));
  if (longest > LONGEST_PICTURE)
    throw Object.assign(
      new Error(
        `The text has ${longest.toLocaleString('en')} UTF-16 code units; a picture holds at most ` +
          `${LONGEST_PICTURE.toLocaleString('en')}.`,
      ),
      { hint: 'Make a picture of a part of the text, or save the whole as HTML, CSV or JSON.' },
    );
  if (!isCurrent || !texts.every(text => text.isWhole))
    throw Object.assign(new Error('The text is still being encoded.'), {
      hint: 'Try again when its tokens are there.',
    });
}
