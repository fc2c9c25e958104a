/**
 * The paths of a word, in Unigram's lesson: the most probable ones and those that were drawn, in rows, in a table, and
 * two of them to choose from. And the letters above, with the share of all paths that split between them.
 */
import { ratio, shareOf } from '../../util/format.js';
import { pretokenName, tokenName } from '../names.js';
import { words } from '../words/index.js';

export const LETTERS = 34;
export const SHARES = 30;
export const BLOCK = 38;
/** What is said of a path, left of it. */
const LABEL = 112;
/** Between two paths. */
const GAP = 8;
/** Paths that are asked for, the best is known: those after it. */
export const NEXT_BEST = [1, 2];

/** @typedef {import('./scene.js').View} View */
/** @typedef {import('../figures/sheet.js').Sheet} Sheet */
/** @typedef {{id: number, from: number, to: number}[]} Tokens of a path */

/** @param {number} n @returns {string} what a path is pressed and pointed at by */
export const pathKey = n => `p${n}`;
/** @param {string} key */
export const pathOfKey = key => Number(key.slice(1));

/** @param {any} facts @param {Tokens} tokens */
export const pathName = (facts, tokens) => tokens.map(({ id }) => tokenName(facts, id)).join('|');

/** @param {import('./scene.js').State} state @returns {Tokens} the path that was read back */
export const ownTokens = ({ now, lists }) => lists.tokens.filter(({ pretoken }) => pretoken === now.pretoken);

/**
 * Where it is among those listed: models of SentencePiece list them by characters, and may have a better one.
 * @param {import('./scene.js').State} state @returns {number} -1: it is not
 */
export function ownPath(state) {
  const ids = (/** @type {Tokens} */ tokens) => tokens.map(({ id }) => id).join();
  return state.lists.paths.findIndex(({ tokens }) => ids(tokens) === ids(ownTokens(state)));
}

/** @param {{probability: number}} path */
export const probability = path => shareOf(path.probability);

/** The paths that are asked for, in an order that says nothing about them. @param {any[]} paths @returns {number[]} */
const choicesOf = paths =>
  [...NEXT_BEST].sort((a, b) => {
    const [one, other] = [a, b].map(n => paths[n].tokens.map((/** @type {{id: number}} */ { id }) => id));
    const at = one.findIndex((/** @type {number} */ id, /** @type {number} */ n) => id !== other[n]);
    return one[at] - other[at];
  });

/** @param {View} view @param {import('./scene.js').State} state @returns {import('./scene.js').StepTable} */
export function pathTable({ facts, isAsked, chosen }, state) {
  const { paths } = state.lists;
  const own = ownPath(state);
  const isHidden = isAsked && chosen === null;
  const isDrawn = paths[0].drawn !== null;
  return {
    caption: words.unigram.pathTable,
    columns: words.unigram.pathColumns[isDrawn ? 'draws' : 'paths'],
    numeric: [1, 2],
    rows: (isAsked ? choicesOf(paths) : [...paths.keys()]).map(n => ({
      cells: [
        pathName(facts, paths[n].tokens),
        ...(isDrawn ? [] : [isHidden ? '?' : ratio(paths[n].score)]),
        isHidden ? '?' : probability(paths[n]),
        ...(isDrawn ? [String(paths[n].drawn)] : []),
      ],
      ref: pathKey(n),
      choice: isAsked ? pathKey(n) : undefined,
      isMarked: !isAsked && n === own,
    })),
  };
}

/**
 * The characters of a word, and below each boundary its share of all segmentations.
 * @param {Sheet} sheet @param {string[]} characters
 * @param {(character: string) => string} nameOf @param {{left: number, unit: number}} place
 * @param {(n: number) => number|undefined} shareAt of the boundary before character `n`
 */
export function drawLetters(sheet, characters, nameOf, { left, unit }, shareAt) {
  characters.forEach((character, n) =>
    sheet.text({ x: left + (n + 0.5) * unit, y: LETTERS / 2, text: nameOf(character), size: 24 }),
  );
  for (let n = 1; n < characters.length; n++) {
    const share = shareAt(n);
    if (share === undefined) continue;
    const width = Math.min(40, unit - 2);
    const group = sheet.box({
      x: left + n * unit - width / 2,
      y: LETTERS + 4,
      width,
      height: 20,
      text: shareWords(share),
      size: 11,
      className: 'share',
    });
    /** @type {SVGElement} */ (group.firstElementChild).style.fillOpacity = String(share);
    if (share > 0.55) group.classList.add('strong');
  }
}

/**
 * The paths of a word, each in a row, with what is known of it on the left.
 * @param {View} view @param {Sheet} sheet @param {number} word
 */
export function drawPaths({ facts, state }, sheet, word) {
  const { now, lists } = state;
  const own = ownPath(state);
  const part = facts.pretokens[word];
  const characters = Array.from(part.text);
  const unit = Math.max(28, Math.min(64, (sheet.room - LABEL - 24) / Math.max(1, characters.length)));
  const heat = sharesOf(part);
  drawLetters(
    sheet,
    characters,
    letter => pretokenName(facts, letter),
    { left: LABEL, unit },
    n => heat.get(n),
  );
  let y = LETTERS + SHARES + 8;
  lists.paths.forEach((path, n) => {
    if (n === now.count) {
      sheet.text({ x: 0, y: y + 8, text: words.unigram.otherPaths, anchor: 'start', className: 'faint' });
      y += 22;
    }
    const said = path.drawn === null ? words.unigram.sum(ratio(path.score)) : words.unigram.drawn(path.drawn);
    sheet.text({ x: 0, y: y + 11, text: probability(path), size: 13, anchor: 'start', ref: pathKey(n) });
    sheet.text({ x: 0, y: y + 28, text: said, anchor: 'start', className: 'faint' });
    for (const { id, from, to } of path.tokens)
      sheet.box({
        x: LABEL + from * unit + 2,
        y,
        width: Math.max(1, to - from) * unit - 4,
        height: BLOCK,
        text: tokenName(facts, id),
        size: 17,
        ref: pathKey(n),
        className: n === own ? 'best' : 'other',
      });
    y += BLOCK + GAP;
  });
  sheet.width = LABEL + characters.length * unit + 24;
  sheet.height = y;
}

/**
 * Two paths to choose from, below the lattice.
 * @param {View} view @param {Sheet} sheet @param {(key: string) => ''|'wrong'|'right'} markOf
 */
export function drawChoices({ facts, next }, sheet, markOf) {
  const { paths } = /** @type {import('./scene.js').State} */ (next).lists;
  const top = sheet.height;
  choicesOf(paths).forEach((n, row) => {
    const text = pathName(facts, paths[n].tokens);
    sheet.box({
      x: 24,
      y: top + row * (BLOCK + GAP),
      width: Math.max(360, Math.min(sheet.room - 48, 640)),
      height: BLOCK,
      text,
      ref: pathKey(n),
      choice: pathKey(n),
      label: words.unigram.pressPath(text),
      className: `choice ${markOf(pathKey(n))}`,
    });
  });
  sheet.focus = null;
  sheet.followsEnd = true;
  sheet.height += 8;
}

/** @param {any} part @returns {Map<number, number>} the share of all segmentations with a boundary, by character */
export const sharesOf = ({ boundaries }) =>
  new Map((boundaries ?? []).map((/** @type {any} */ { character, probability }) => [character, probability]));

/** Neither 0 nor 1 is said of what only comes near. @param {number} share */
function shareWords(share) {
  if (Number.isInteger(share)) return String(share);
  if (share < 0.001) return '≈ 0';
  return share > 0.995 ? '≈ 1' : share.toFixed(share < 0.01 ? 3 : 2);
}
