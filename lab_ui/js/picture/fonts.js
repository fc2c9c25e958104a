/**
 * The fonts that a picture holds: the faces of the lab's fixed-width font that its characters need, as data in a style
 * sheet. The faces are those of `css/fonts.css`, each with the range of characters it is for.
 */
const FAMILY = 'JetBrains Mono';
const LATIN = 0x61; // every picture has digits and Latin letters
const BYTES = 0x8000; // that become characters in one go

/** A letter per character: the editor draws without ligatures, too. */
const PLAIN = 'text{font-variant-ligatures:none;font-kerning:none}';

/** @type {Map<string, Promise<string>>} */
const known = new Map();

/**
 * Loads the faces that the page itself needs to draw a text. @param {string} text
 * @returns {Promise<any>}
 */
export const loadFaces = text => document.fonts.load(`16px "${FAMILY}"`, [...new Set(text)].join(''));

/**
 * @param {string} content all characters of a picture, and more
 * @returns {Promise<string>} a style sheet
 */
export async function fontStyle(content) {
  const used = [LATIN, ...new Set(Array.from(content, character => character.codePointAt(0) ?? 0))];
  const faces = facesOf(FAMILY).filter(({ ranges }) =>
    used.some(code =>
      code > 0x7e || code === LATIN ? ranges.some(([from, to]) => code >= from && code <= to) : false,
    ),
  );
  return PLAIN + (await Promise.all(faces.map(written))).join('');
}

/** @param {string} family @returns {{url: string, weight: string, range: string, ranges: number[][]}[]} */
function facesOf(family) {
  return [...document.styleSheets].flatMap(sheet =>
    [...sheet.cssRules]
      .filter(rule => rule instanceof CSSFontFaceRule)
      .map(rule => ({ style: /** @type {CSSFontFaceRule} */ (rule).style, base: sheet.href ?? document.baseURI }))
      .filter(({ style }) => unquoted(style.getPropertyValue('font-family')) === family)
      .map(({ style, base }) => {
        const range = style.getPropertyValue('unicode-range');
        const [, source] = /url\((.*?)\)/.exec(style.getPropertyValue('src')) ?? [];
        return {
          url: new URL(unquoted(source ?? ''), base).href,
          weight: style.getPropertyValue('font-weight'),
          range,
          ranges: range.split(',').map(bounds),
        };
      }),
  );
}

/** "U+100-17F" as [0x100, 0x17f] @param {string} range */
function bounds(range) {
  const [from, to = from] = range.trim().replace(/^U\+/i, '').split('-');
  return [parseInt(from, 16), parseInt(to, 16)];
}

/** @param {string} text */
const unquoted = text => text.trim().replace(/^["']|["']$/g, '');

/** @param {{url: string, weight: string, range: string}} font */
async function written({ url, weight, range }) {
  const rule = `@font-face{font-family:"${FAMILY}";font-weight:${weight};unicode-range:${range};`;
  return `${rule}src:url(${await read(url)}) format("woff2")}`;
}

/** Reads a font once; one that failed is asked for again by the next picture. @param {string} url */
function read(url) {
  const data = known.get(url) ?? dataOf(url);
  known.set(url, data);
  data.catch(() => known.delete(url));
  return data;
}

/** @param {string} url @returns {Promise<string>} of the scheme `data` */
async function dataOf(url) {
  if (url.startsWith('data:')) return url;
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The font ${url} cannot be read: status ${response.status}.`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  let units = '';
  for (let from = 0; from < bytes.length; from += BYTES)
    units += String.fromCharCode(...bytes.subarray(from, from + BYTES));
  return `data:font/woff2;base64,${btoa(units)}`;
}
