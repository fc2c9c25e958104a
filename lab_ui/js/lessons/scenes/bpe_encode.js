/** BPE: the symbols of a word, the pair with the lowest rank, the trees of the merges. */
import { count } from '../../util/format.js';
import { hexOf, tokenName } from '../names.js';
import { pointing } from '../say.js';
import { words } from '../words/index.js';
import { wordOf } from './scene.js';

/** Leaves of a word that are drawn; longer words move past. */
const MOST_LEAVES = 40;
const ROW = 58;
const LEVEL = 62;
const LEAF = 30;

/** @typedef {import('./scene.js').View} View */
/**
 * @typedef {{id: number, node: number, index: number, from: number, to: number}} Placed
 *   a symbol, by the leaves it covers
 */

/** @type {import('./scene.js').Scene} */
export const bpeEncode = {
  name: 'bpe-encode',
  group: 'encoding',
  model: 'BPE',
  example: 'unbelievable tokenizers',

  stop(now, facts) {
    if (now.step === 'start') return words.stops.start;
    if (now.step === 'done') return words.stops.done;
    if (now.step !== 'merge') return '';
    return tokenName(facts, now.id);
  },

  asks: next => next.step === 'merge',

  right: ({ next }) => (next?.now.step === 'merge' ? String(next.now.at) : null),

  task: ({ state, isAsked }) =>
    isAsked ? words.bpe.task : state.now.step === 'done' ? words.bpe.taskDone : words.bpe.taskWatch,

  sentence({ facts, state }) {
    const { now } = state;
    if (now.step === 'start') return words.bpe.start(facts.pretokens.length);
    if (now.step === 'tokens') return words.bpe.tokens(now.count);
    if (now.step !== 'merge') return words.bpe.done(facts.ids.length);
    const [left, right] = now.pair.map((/** @type {number} */ id) => tokenName(facts, id));
    return words.bpe.merge({
      pair: pointing(`${left} + ${right}`, `s${now.at}`),
      becomes: pointing(tokenName(facts, now.id), `s${now.at}`),
      rank: count(now.rank),
    });
  },

  miss({ facts, state, next }, chosen, right) {
    const { symbols, pairs } = state.lists;
    /** @param {string} key */
    const pair = key => {
      const at = Number(key);
      const name = `${tokenName(facts, symbols[at].id)} + ${tokenName(facts, symbols[at + 1].id)}`;
      return { name: pointing(name, `p${at}`), rank: count(pairs[at].rank) };
    };
    const { rank } = pairs[Number(chosen)];
    if ((rank ?? null) === null) return words.bpe.noRank({ chosen: pair(chosen), right: pair(right) });
    if (rank === next?.now.rank) return words.bpe.tie({ chosen: pair(chosen), right: pair(right) });
    return words.bpe.miss({ chosen: pair(chosen), right: pair(right) });
  },

  table(view) {
    const { facts, state, isAsked } = view;
    const rows = placed(view).map(({ id, index }, n, all) => {
      const after = all[n + 1];
      const pair = state.lists.pairs[index];
      if (!after) return null;
      return {
        cells: [
          `${tokenName(facts, id)} + ${tokenName(facts, after.id)}`,
          (pair.id ?? null) === null ? '–' : tokenName(facts, pair.id),
          rankOf(pair),
        ],
        colours: [index, after.index],
        ref: `p${index}`,
        choice: isAsked ? String(index) : undefined,
      };
    });
    return {
      caption: words.bpe.table,
      columns: words.bpe.columns,
      numeric: [2],
      rows: /** @type {import('./scene.js').TableRow[]} */ (rows.filter(Boolean)),
    };
  },

  draw(view, sheet, markOf) {
    const { facts, state, isAsked } = view;
    const symbols = placed(view);
    if (!symbols.length) return;
    const { nodes } = state.lists;
    const first = symbols[0].from;
    const leaves = symbols[symbols.length - 1].to - first;
    const unit = Math.max(26, Math.min(64, sheet.room / leaves));
    /** @param {number} leaf */
    const x = leaf => (leaf - first) * unit;
    const heights = new Map();
    for (const { node } of symbols) heightOf(node, nodes, heights);
    const deepest = Math.max(0, ...symbols.map(({ node }) => heights.get(node) ?? 0));
    const treeTop = ROW + (isAsked ? 62 : 26);
    const bottom = treeTop + deepest * LEVEL;
    /** @param {number} height of a node */
    const y = height => bottom - height * LEVEL;
    for (const { id, node, index, from, to } of symbols) {
      const isNew = !isAsked && state.now.step === 'merge' && state.now.at === index;
      sheet.box({
        x: x(from) + 2,
        y: 0,
        width: (to - from) * unit - 4,
        height: ROW,
        text: tokenName(facts, id),
        size: 26,
        colour: index,
        ref: `s${index}`,
        className: isNew ? 'new' : '',
      });
      sheet.path(`M${x((from + to) / 2)} ${ROW + 3}V${y(heights.get(node) ?? 0) - 2}`, { className: 'dotted' });
    }
    for (const [n, { id, index, to }] of symbols.entries()) {
      const after = symbols[n + 1];
      if (!after || !isAsked) continue;
      const pair = state.lists.pairs[index];
      const key = String(index);
      const mark = markOf(key);
      sheet.round({
        x: x(to),
        y: ROW + 22,
        text: mark === 'wrong' ? '×' : '+',
        choice: key,
        ref: `p${index}`,
        below: mark && rankOf(pair),
        className: mark,
        label: words.bpe.press(tokenName(facts, id), tokenName(facts, after.id)),
      });
    }
    /** @param {number} node @param {number} from @returns {number} its leaves */
    const tree = (node, from) => {
      const { id, parts, rank } = nodes[node];
      if (!parts) {
        sheet.box({
          x: x(from) + unit / 2 - 15,
          y: y(0),
          width: 30,
          height: LEAF,
          text: tokenName(facts, id),
          size: 15,
          className: 'leaf',
        });
        sheet.text({
          x: x(from) + unit / 2,
          y: y(0) + LEAF + 12,
          text: hexOf(facts, id),
          size: 11,
          className: 'faint',
        });
        return 1;
      }
      let at = from;
      /** @type {number[]} */
      const centres = [];
      for (const part of parts) {
        const size = tree(part, at);
        centres.push(x(at + size / 2));
        at += size;
      }
      const middle = x((from + at) / 2);
      const top = y(heights.get(node));
      const isNew = state.now.step === 'merge' && node === nodes.length - 1;
      const kind = isNew ? 'new' : '';
      parts.forEach((/** @type {number} */ part, /** @type {number} */ n) => {
        const end = y(heights.get(part) ?? 0);
        const bend = (top + LEAF + end) / 2;
        sheet.path(`M${middle} ${top + LEAF}C${middle} ${bend} ${centres[n]} ${bend} ${centres[n]} ${end}`, {
          className: kind,
        });
      });
      const name = tokenName(facts, id);
      const width = Math.max(30, name.length * 10 + 10);
      sheet.box({
        x: middle - width / 2,
        y: top,
        width,
        height: LEAF,
        text: name,
        size: 15,
        className: `leaf ${kind}`,
      });
      if (rank !== null)
        sheet.text({
          x: middle + width / 2 + 5,
          y: top + LEAF / 2,
          text: count(rank),
          anchor: 'start',
          size: 11,
          className: `faint ${kind}`,
        });
      return at - from;
    };
    for (const { node, from } of symbols) if (nodes[node]) tree(node, from);
    sheet.width = Math.max(sheet.width, leaves * unit);
  },
};

/** @param {{rank?: number|null}} pair */
const rankOf = ({ rank }) => ((rank ?? null) === null ? words.bpe.none : count(rank));

/**
 * The symbols of the word at hand, with the leaves that they cover. Of a long word, those around the step.
 * @param {View} view @returns {Placed[]}
 */
function placed(view) {
  const { symbols, nodes } = view.state.lists;
  const word = wordOf(view) ?? symbols[0]?.pretoken ?? 0;
  const sizes = new Map();
  let leaf = 0;
  /** @type {Placed[]} */
  const found = [];
  symbols.forEach((symbol, index) => {
    if (symbol.pretoken !== word) return;
    const size = leavesOf(symbol.node, nodes, sizes);
    found.push({ id: symbol.id, node: symbol.node, index, from: leaf, to: leaf + size });
    leaf += size;
  });
  if (leaf <= MOST_LEAVES) return found;
  const centre = (view.isAsked ? view.next?.now.at : view.state.now.at) ?? found[0].index;
  const middle = found.find(({ index }) => index >= centre)?.from ?? 0;
  const start = Math.max(0, Math.min(middle - MOST_LEAVES / 2, leaf - MOST_LEAVES));
  return found.filter(({ from, to }) => to > start && from < start + MOST_LEAVES);
}

/** @param {number} node @param {any[]} nodes @param {Map<number, number>} known @returns {number} */
function leavesOf(node, nodes, known) {
  const found = known.get(node);
  if (found !== undefined) return found;
  const parts = nodes[node]?.parts;
  const size = parts
    ? parts.reduce((/** @type {number} */ sum, /** @type {number} */ part) => sum + leavesOf(part, nodes, known), 0)
    : 1;
  known.set(node, size);
  return size;
}

/**
 * @param {number} node @param {any[]} nodes @param {Map<number, number>} known
 * @returns {number} levels above the leaves
 */
function heightOf(node, nodes, known) {
  const parts = nodes[node]?.parts;
  const height = parts ? 1 + Math.max(...parts.map((/** @type {number} */ part) => heightOf(part, nodes, known))) : 0;
  known.set(node, height);
  return height;
}
