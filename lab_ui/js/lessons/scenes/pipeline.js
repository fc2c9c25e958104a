/** The pipeline: what the text is after each stage of the tokenizer. */
import { shown, tokenName } from '../names.js';
import { words } from '../words/index.js';

const ROW = 36;
const GAP = 26;
const LETTER = 10.5;
/** Pieces that are drawn in a row. */
const MOST = 60;

/** @type {import('./scene.js').Scene} */
export const pipeline = {
  name: 'pipeline',
  group: 'basics',
  model: '',
  example: 'Hello, World! It costs 1234 €.',

  stop: now => (now.step === 'start' ? words.stops.start : now.step === 'model' ? words.stops.model : (now.name ?? '')),

  right({ state, next }) {
    if (!next || next.now.step === 'start') return null;
    if (next.now.step === 'model') return null;
    return isSamePieces(state.lists.pieces, next.lists.pieces) ? 'same' : 'changed';
  },

  task: ({ isAsked, next }) => (isAsked ? words.pipeline.task(next?.now.name) : words.pipeline.taskWatch),

  sentence({ facts, at, state, stateAt }) {
    const { now, lists } = state;
    if (now.step === 'start') return words.pipeline.start;
    if (now.step === 'model') return words.pipeline.model(facts.ids.length);
    const before = stateAt(at - 1).lists.pieces;
    if (isSamePieces(before, lists.pieces)) return words.pipeline.same(now.name);
    return lists.pieces.length === before.length
      ? words.pipeline.changed(now.name)
      : words.pipeline.cut(now.name, lists.pieces.length);
  },

  miss: ({ next }, chosen) =>
    chosen === 'same' ? words.pipeline.missedChange(next?.now.name) : words.pipeline.missedSame(next?.now.name),

  table: ({ facts, state }) => ({
    caption: words.pipeline.table,
    columns: words.pipeline.columns,
    numeric: [2],
    rows: state.lists.pieces.slice(0, MOST).map((piece, n) => ({
      cells: [String(n + 1), nameOf(facts, piece), piece.id === null ? '' : String(piece.id)],
      ref: `x${n}`,
    })),
  }),

  draw(view, sheet) {
    const { facts, at, isAsked, chosen, isRevealed, stateAt } = view;
    let y = 0;
    for (let n = 0; n <= at; n++) {
      const { now, lists } = stateAt(n);
      const label =
        now.step === 'start' ? words.pipeline.text : now.step === 'model' ? words.pipeline.modelRow : now.name;
      sheet.text({ x: 0, y: y + 8, text: label, anchor: 'start', size: 12, className: n === at ? 'now' : 'faint' });
      let x = 0;
      let top = y + 18;
      lists.pieces.slice(0, MOST).forEach((piece, k) => {
        const text = nameOf(facts, piece);
        const width = Math.max(24, Math.min(sheet.room, [...text].length * LETTER + 12));
        if (x + width > sheet.room && x > 0) {
          x = 0;
          top += ROW + 4;
        }
        sheet.box({
          x,
          y: top,
          width,
          height: ROW,
          text,
          size: 17,
          colour: piece.id === null ? undefined : k,
          ref: n === at ? `x${k}` : undefined,
          className: piece.id === null ? 'plain' : '',
        });
        x += width + 4;
      });
      y = top + ROW + GAP;
    }
    if (isAsked) {
      const right = isRevealed ? this.right(view) : null;
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
          className: `choice ${chosen === key ? 'wrong' : right === key ? 'right' : ''}`,
        }),
      );
    }
    sheet.width = Math.max(sheet.width, 400);
  },
};

/** @param {any} facts @param {{text: string|null, id: number|null}} piece */
const nameOf = (facts, piece) => (piece.text === null ? tokenName(facts, piece.id) : shown(piece.text));

/** @param {any[]} a @param {any[]} b */
const isSamePieces = (a, b) => a.length === b.length && a.every((piece, n) => piece.text === b[n].text);
