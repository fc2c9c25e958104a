/** Unigram training: expected counts, new probabilities, and the tokens that the corpus misses least are removed. */
import { ratio } from '../../util/format.js';
import { smallNumber, tokenName } from '../names.js';
import { pointing } from '../say.js';
import { words } from '../words/index.js';

const ROW = 26;
const ROWS = 13;
const COLUMNS = 3;

/** @typedef {{id: number, score: number, expected: number|null, loss: number|null, stays: boolean}} Token */

/** @type {import('./scene.js').Scene} */
export const unigramTrain = {
  name: 'unigram-train',
  group: 'training',
  model: 'Unigram',
  example:
    'low low low lower lowest newer newer newest newest widest wider new slow slower slowest below fellow yellow ' +
    'window shadow follow flower power tower shower lowered slowly newly widely highest higher high lighter light',
  learn: 12,

  stop(now) {
    if (now.step === 'start') return words.stops.start;
    if (now.step === 'done') return words.stops.done;
    return now.step === 'prune' ? words.stops.prune : now.step === 'expect' ? words.stops.counts : '';
  },

  asks: next => next.step === 'maximize' || next.step === 'prune',

  right({ state, next }) {
    const step = next?.now.step;
    if (step !== 'maximize' && step !== 'prune') return null;
    const best = bestOf(state.lists.tokens, step);
    return best === null ? null : String(best.id);
  },

  isRight(view, key) {
    const step = view.next?.now.step === 'prune' ? 'loss' : 'expected';
    /** @param {string|null} id */
    const numberOf = id => view.state.lists.tokens.find(token => String(token.id) === id)?.[step] ?? null;
    const [chosen, best] = [numberOf(key), numberOf(this.right(view))];
    return chosen !== null && best !== null && figure(chosen) === figure(best);
  },

  task({ isAsked, state, next }) {
    if (state.now.step === 'done') return words.em.taskDone;
    if (!isAsked) return words.em.taskWatch;
    return next?.now.step === 'prune' ? words.em.taskPrune : words.em.taskMaximize;
  },

  sentence(view) {
    const { facts, state } = view;
    const { now } = state;
    if (now.step === 'start') return words.em.start(now.tokens);
    if (now.step === 'expect') return words.em.expect(ratio(now.loss, 3));
    if (now.step === 'maximize') return words.em.maximize(now.removed.length, now.tokens);
    if (now.step === 'losses') return words.em.losses;
    if (now.step === 'prune') {
      const lost = view
        .stateAt(view.at - 1)
        .lists.tokens.find(({ id, loss }) => loss !== null && now.removed.includes(id));
      const names = lost ? [pointing(tokenName(facts, lost.id), `t${lost.id}`)] : [];
      return words.em.prune(names, now.removed.length, now.tokens);
    }
    if (now.step === 'final' && !now.removed.length) return words.em.enough;
    if (now.step === 'final') return words.em.final(now.removed.length, now.tokens);
    return words.em.done(now.tokens, now.symbols);
  },

  miss({ facts, state, next }, chosen, right) {
    const isPruning = next?.now.step === 'prune';
    /** @param {string} key */
    const of = key => {
      const token = /** @type {Token} */ (state.lists.tokens.find(({ id }) => String(id) === key));
      const value = isPruning ? token.loss : token.expected;
      return { name: pointing(tokenName(facts, token.id), `t${key}`), value: value === null ? '–' : figure(value) };
    };
    return words.em.miss({ chosen: of(chosen), right: of(right), isPruning });
  },

  table({ facts, state }) {
    return {
      caption: words.em.table,
      columns: words.em.columns,
      numeric: [1, 2, 3],
      rows: state.lists.tokens.map(({ id, score, expected, loss }) => ({
        cells: [
          tokenName(facts, id),
          ratio(score),
          expected === null ? '–' : figure(expected),
          loss === null ? '–' : figure(loss),
        ],
        ref: `t${id}`,
      })),
    };
  },

  draw(view, sheet, markOf) {
    const { facts, state, next, isAsked } = view;
    const isPruning = next?.now.step === 'prune';
    const column = Math.max(180, sheet.room / COLUMNS);
    const largest = Math.max(...state.lists.tokens.map(({ score }) => Math.exp(score)), 1e-9);
    drawnTokens(state.lists.tokens, isAsked ? this.right(view) : null).forEach(
      ({ id, score, expected, loss, stays }, n) => {
        const x = Math.floor(n / ROWS) * column;
        const y = (n % ROWS) * ROW;
        const key = String(id);
        const isChoice = isAsked && (!isPruning || loss !== null);
        const kind = markOf(key) || (isChoice ? 'choice' : stays ? 'plain' : 'missed');
        const text = tokenName(facts, id);
        sheet.box({
          x,
          y,
          width: 76,
          height: ROW - 4,
          text,
          size: 14,
          ref: `t${id}`,
          className: kind,
          choice: isChoice ? key : undefined,
          label: words.em.press(text),
        });
        const width = Math.max(2, ((column - 150) * Math.exp(score)) / largest);
        sheet.box({ x: x + 82, y: y + 6, width, height: ROW - 16, className: 'bar' });
        const value = isPruning || state.now.step === 'losses' ? loss : expected;
        const shown = value === null ? ratio(score) : figure(value);
        sheet.text({
          x: x + 88 + width,
          y: y + ROW / 2 - 2,
          text: shown,
          anchor: 'start',
          size: 11,
          className: 'faint',
        });
      },
    );
    sheet.height = Math.max(sheet.height, ROWS * ROW);
  },
};

/**
 * The first tokens, and the one that is asked for. @param {Token[]} tokens @param {string|null} right
 */
function drawnTokens(tokens, right) {
  const first = tokens.slice(0, ROWS * COLUMNS);
  const asked = tokens.find(({ id }) => String(id) === right);
  return asked && !first.includes(asked) ? [...first.slice(0, -1), asked] : first;
}

/**
 * The token with the highest expected count, or the one that is missed least; null: no two differ.
 * @param {Token[]} tokens @param {'maximize'|'prune'} step
 */
function bestOf(tokens, step) {
  const value = (/** @type {Token} */ { expected, loss }) =>
    step === 'prune' ? (loss === null ? null : -loss) : expected;
  const known = tokens.filter(token => value(token) !== null);
  if (known.length < 2) return null;
  return known.reduce((best, token) => (Number(value(token)) > Number(value(best)) ? token : best));
}

/** @param {number} value */
const figure = value => smallNumber(value, 2);
