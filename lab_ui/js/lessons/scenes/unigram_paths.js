/**
 * The paths of a word, in Unigram's lesson: the most probable ones and those that were drawn, in rows, in a table, and
 * two of them to choose from. And the letters above, with the share of all paths that split between them.
 */
import { ratio, shareOf } from '../../util/format.js';
import { pretokenName, tokenName } from '../names.js';
import { words } from '../words/index.js';

export const LETTERS = 34;
const SHARES = 46;
/** Height of a token where there is room, and where many rows are to be seen at once. */
const BLOCK = 38;
const LOW_BLOCK = 28;
/** Height of what stands above a figure in its page: the task, the words of the text, the space between. */
const ABOVE = 150;
/** What is said of a path, left of it. */
const LABEL = 112;
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

/**
 * The height of a token and the space below it, by the rows that are to be seen without scrolling.
 * @param {Sheet} sheet @param {number} rows @param {number} rest height of what is not in rows
 */
export function rowHeights({ tall }, rows, rest) {
  const gap = 4;
  const block = tall ? Math.min(BLOCK, Math.max(LOW_BLOCK, (tall - ABOVE - rest) / rows - gap)) : BLOCK;
  return { block, row: block + gap };
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
    caption: isAsked || isDrawn ? words.unigram.pathTable : words.unigram.bestPaths(state.now.count),
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
 * @param {(n: number) => number|undefined} [shareAt] of the boundary before character `n`
 */
export function drawLetters(sheet, characters, nameOf, { left, unit }, shareAt = () => undefined) {
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
  sheet.text({ x: LABEL, y: LETTERS + 36, text: words.unigram.shares, anchor: 'start', className: 'faint' });
  let y = LETTERS + SHARES + 8;
  const { block, row } = rowHeights(sheet, lists.paths.length, y + (lists.paths.length > now.count ? 22 : 0));
  lists.paths.forEach((path, n) => {
    if (n === now.count) {
      sheet.text({ x: 0, y: y + 8, text: words.unigram.otherPaths, anchor: 'start', className: 'faint' });
      y += 22;
    }
    const said = path.drawn === null ? words.unigram.sum(ratio(path.score)) : words.unigram.drawn(path.drawn);
    sheet.text({ x: 0, y: y + block * 0.28, text: probability(path), size: 13, anchor: 'start', ref: pathKey(n) });
    sheet.text({ x: 0, y: y + block * 0.75, text: said, size: 11, anchor: 'start', className: 'faint' });
    drawPath(sheet, facts, path, { y, unit, height: block, ref: pathKey(n), className: n === own ? 'best' : 'other' });
    y += row;
  });
  sheet.width = LABEL + characters.length * unit + 24;
  sheet.height = y;
}

/**
 * @param {Sheet} sheet @param {any} facts @param {{tokens: Tokens}} path
 * @param {{y: number, unit: number, height: number, ref: string, className: string,
 *   scoreOf?: (token: Tokens[number]) => string}} at
 */
function drawPath(sheet, facts, { tokens }, { y, unit, height, ref, className, scoreOf = () => '' }) {
  for (const token of tokens)
    sheet.box({
      x: LABEL + token.from * unit + 2,
      y,
      width: Math.max(1, token.to - token.from) * unit - 4,
      height,
      text: tokenName(facts, token.id),
      size: height < BLOCK ? 14 : 17,
      below: scoreOf(token),
      ref,
      className,
    });
}

/**
 * Two paths to choose from, with the score of each token; the best path is above them.
 * @param {View} view @param {Sheet} sheet @param {number} word @param {(key: string) => ''|'wrong'|'right'} markOf
 */
export function drawChoices({ facts, next }, sheet, word, markOf) {
  const { lists } = /** @type {import('./scene.js').State} */ (next);
  const characters = Array.from(facts.pretokens[word].text);
  const unit = Math.max(36, Math.min(64, (sheet.room - LABEL - 24) / Math.max(1, characters.length)));
  const base = lists.places.findIndex(({ pretoken }) => pretoken === word);
  /** @param {Tokens[number]} token */
  const scoreOf = ({ id, from, to }) => {
    const node = lists.nodes.find(each => each.id === id && each.from === base + from && each.to === base + to);
    return node ? ratio(node.score) : '';
  };
  drawLetters(sheet, characters, letter => pretokenName(facts, letter), { left: LABEL, unit });
  /** @param {string} text @param {number} y */
  const label = (text, y) => sheet.text({ x: 0, y: y + BLOCK / 2, text, anchor: 'start', className: 'faint' });
  let y = LETTERS + 8;
  label(words.unigram.bestPath, y);
  drawPath(sheet, facts, lists.paths[0], { y, unit, height: BLOCK, ref: pathKey(0), className: 'best', scoreOf });
  choicesOf(lists.paths).forEach((n, row) => {
    y += BLOCK + 18;
    const key = pathKey(n);
    label(words.unigram.choicePath(row + 1), y);
    drawPath(sheet, facts, lists.paths[n], { y, unit, height: BLOCK, ref: key, className: 'other', scoreOf });
    sheet.box({
      x: LABEL - 4,
      y: y - 5,
      width: characters.length * unit + 8,
      height: BLOCK + 10,
      ref: key,
      choice: key,
      label: words.unigram.pressPath(pathName(facts, lists.paths[n].tokens)),
      className: `choice frame ${markOf(key)}`,
    });
  });
  sheet.focus = null;
  sheet.width = LABEL + characters.length * unit + 24;
  sheet.height += 8;
}

/** @param {any} part @returns {Map<number, number>} the share of all segmentations with a boundary, by character */
export const sharesOf = ({ boundaries }) =>
  new Map((boundaries ?? []).map((/** @type {any} */ { character, probability }) => [character, probability]));

/** Neither 0 nor 1 is said of what only comes near. @param {number} share */
function shareWords(share) {
  if (Number.isInteger(share)) return String(share);
  if (share < 0.005) return '≈ 0';
  return share > 0.995 ? '≈ 1' : share.toFixed(2);
}
