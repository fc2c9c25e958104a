/**
 * What the text is after each stage of the tokenizer: the pipeline, SentencePiece with its mark of spaces and the way
 * back, and special tokens
 */
import { extent } from '../figures/sheet.js';
import { tokenName, visible } from '../names.js';
import { words } from '../words/index.js';

const ROW = 36;
const GAP = 26;
/** Of the letters of a piece. */
const SIZE = 17;
/** Of the letters of a text in lines, and between two lines. */
const SMALL = 14;
const LINE = 19;
/** Pieces that are drawn in a row. */
const MOST = 60;
/** Stages that are drawn: the last ones. */
const MOST_ROWS = 7;
/** Steps of which it is asked whether they change anything. */
const ASKED = new Set(['normalizer', 'pretokenizer', 'template']);

/**
 * @param {string} name @param {string} example
 * @param {Object} [more]
 * @param {(facts: any, sheet: import('../figures/sheet.js').Sheet) => number} [more.above] draws what is before the
 *   first row, and says where that begins
 * @param {(facts: any, piece: any) => string} [more.noteOf] a note below a piece
 * @returns {import('./scene.js').Scene}
 */
export const piecesScene = (name, example, { above = () => 0, noteOf = () => '' } = {}) => ({
  name,
  group: 'basics',
  model: '',
  example,
  specials: name === 'special-tokens' ? 'parse' : undefined,

  stop: now => (now.step === 'done' ? words.stops.done : now.step === 'tokens' ? '' : labelOf(now)),

  asks: next => ASKED.has(next.step),

  right({ state, next }) {
    if (!next) return null;
    return isSamePieces(state.lists.pieces, next.lists.pieces) ? 'same' : 'changed';
  },

  task: ({ isAsked, next }) =>
    isAsked ? words.pipeline.task(labelOf(/** @type {any} */ (next).now)) : words.pipeline.taskWatch,

  sentence({ facts, at, state, stateAt }) {
    const { now, lists } = state;
    if (now.step === 'start') return words.pipeline.start;
    if (now.step === 'model') return words.pipeline.model(facts.ids.length);
    if (now.step === 'done') return words.pipeline.done(lists.pieces.length);
    if (now.step === 'tokens') return words.pipeline.tokens(now.count);
    if (now.step === 'template') return words.pipeline.template(now.added);
    const before = stateAt(at - 1).lists.pieces;
    if (now.step in words.pipeline.back) return words.pipeline.back[now.step];
    const stage = labelOf(now);
    if (isSamePieces(before, lists.pieces)) return words.pipeline.same(stage);
    return lists.pieces.length <= before.length
      ? words.pipeline.changed(stage)
      : words.pipeline.cut(stage, lists.pieces.length);
  },

  miss: ({ next }, chosen) =>
    words.pipeline[chosen === 'same' ? 'missedChange' : 'missedSame'](labelOf(/** @type {any} */ (next).now)),

  table: ({ facts, state }) => ({
    caption: words.pipeline.table,
    columns: words.pipeline.columns,
    numeric: [2],
    rows: state.lists.pieces.slice(0, MOST).map((piece, n) => ({
      cells: [String(n + 1), nameOf(facts, piece), piece.id === null ? '' : String(piece.id)],
      ref: `x${n}`,
    })),
  }),

  draw(view, sheet, markOf) {
    const { facts, at, isAsked, stateAt } = view;
    const first = Math.max(0, at - MOST_ROWS + 1);
    let y = first ? 0 : above(facts, sheet);
    for (let n = first; n <= at; n++) {
      const { now, lists } = stateAt(n);
      const label = labelOf(now);
      sheet.text({ x: 0, y: y + 8, text: label, anchor: 'start', size: 12, className: n === at ? 'now' : 'faint' });
      let x = 0;
      let top = y + 18;
      lists.pieces.slice(0, MOST).forEach((piece, k) => {
        const text = nameOf(facts, piece);
        const ref = n === at ? `x${k}` : undefined;
        const width = Math.max(24, Math.min(sheet.room, extent(text) * SIZE + 12));
        if (piece.text !== null && extent(text) * SMALL > sheet.room) {
          top = drawLines(sheet, { text, ref }, x > 0 ? top + ROW + 4 : top) - ROW - 4;
          x = sheet.room;
          return;
        }
        if (x + width > sheet.room && x > 0) {
          x = 0;
          top += ROW + 4;
        }
        const below = noteOf(facts, piece);
        sheet.box({
          x,
          y: top,
          width,
          height: ROW,
          text,
          size: SIZE,
          below,
          colour: piece.id === null ? undefined : k,
          ref,
          className: piece.id === null ? 'plain' : below && 'wrong',
        });
        x += width + 4;
      });
      y = top + ROW + GAP;
    }
    if (isAsked) {
      ['changed', 'same'].forEach((key, n) =>
        sheet.box({
          x: n * 200,
          y,
          width: 190,
          height: 42,
          text: words.pipeline.choices[/** @type {'changed'|'same'} */ (key)],
          size: 14,
          choice: key,
          label: words.pipeline.choices[/** @type {'changed'|'same'} */ (key)],
          className: `choice ${markOf(key)}`,
        }),
      );
    }
    sheet.followsEnd = at > 0;
    sheet.width = Math.max(sheet.width, 400);
  },
});

export const pipeline = piecesScene('pipeline', 'Hello, World! It costs 1234 €.');
export const sentencepiece = piecesScene('sentencepiece', 'naïve cafés, 100 %');
export const specialTokens = piecesScene('special-tokens', 'Hello<|endoftext|>World [MASK] again');

/**
 * A text that has no room in one row.
 * @param {import('../figures/sheet.js').Sheet} sheet @param {{text: string, ref?: string}} piece @param {number} y
 * @returns {number} where the next row begins
 */
function drawLines(sheet, { text, ref }, y) {
  const lines = linesOf(text, sheet.room - 20);
  const height = lines.length * LINE + 14;
  sheet.box({ x: 0, y, width: sheet.room, height, ref, className: 'plain' });
  lines.forEach((line, n) =>
    sheet.text({ x: 10, y: y + 16 + n * LINE, text: line, size: SMALL, anchor: 'start', className: 'letter' }),
  );
  return y + height + 4;
}

/** A text in parts that fit in a line each. @param {string} text @param {number} width */
function linesOf(text, width) {
  const lines = [''];
  let room = width;
  for (const character of text) {
    const needed = extent(character) * SMALL;
    if (needed > room) {
      lines.push('');
      room = width;
    }
    lines[lines.length - 1] += character;
    room -= needed;
  }
  return lines;
}

/** What a step is called. @param {import('../frame_store.js').Now} now @returns {string} */
const labelOf = now => now.name ?? words.pipeline.steps[now.step] ?? now.step;

/** @param {any} facts @param {{text: string|null, id: number|null}} piece */
export const nameOf = (facts, piece) => (piece.text === null ? tokenName(facts, piece.id) : visible(piece.text));

/** @param {any[]} a @param {any[]} b */
const isSamePieces = (a, b) => a.length === b.length && a.every((piece, n) => piece.text === b[n].text);
