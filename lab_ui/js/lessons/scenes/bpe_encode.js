/** BPE: the symbols of a word, the pair with the lowest rank, the trees of the merges. */
import { count } from '../../util/format.js';
import { hexOf, pretokenName, tokenName } from '../names.js';
import { pointing } from '../say.js';
import { words } from '../words/index.js';
import { drawTokens, tokenTable } from './last_tokens.js';
import { oncePerLesson, wordOf } from './scene.js';

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

  sentence(view) {
    const { facts, state, at, nowAt } = view;
    const { now } = state;
    if (now.step === 'start') return words.bpe.start[firstSymbols(facts, state.lists.nodes)];
    if (now.step === 'tokens') return words.bpe.tokens(now.count);
    if (now.step !== 'merge') return words.bpe.done(facts.ids.length);
    const [left, right] = now.pair.map((/** @type {number} */ id) => tokenName(facts, id));
    return words.bpe.merge({
      pair: pointing(`${left} + ${right}`, `s${now.at}`),
      becomes: pointing(tokenName(facts, now.id), `s${now.at}`),
      rank: count(now.rank),
      isFirst: at === 1,
      hasSpace: nowAt(at - 1).pretoken !== now.pretoken && now.pretoken > 0 && beginsWithSpace(facts, now.pretoken),
      done: isDone(state) ? pretokenName(facts, facts.pretokens[now.pretoken].text) : '',
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
    const { facts, at, isAsked, stateAt } = view;
    if (view.state.now.step === 'done') return tokenTable(facts, view.state.lists.symbols);
    // Of a merge, the pairs among which it was chosen.
    const { now } = view.state;
    const isMerge = !isAsked && now.step === 'merge';
    const state = isMerge ? stateAt(at - 1) : view.state;
    const colours = coloursOf(view);
    const rows = placed(view, state).map(({ id, node, index }, n, all) => {
      const after = all[n + 1];
      const pair = state.lists.pairs[index];
      if (!after) return null;
      return {
        cells: [
          `${tokenName(facts, id)} + ${tokenName(facts, after.id)}`,
          (pair.id ?? null) === null ? '–' : tokenName(facts, pair.id),
          rankOf(pair),
        ],
        colours: [colours[node], colours[after.node]],
        ref: isMerge && index === now.at ? `s${index}` : `p${index}`,
        choice: isAsked ? String(index) : undefined,
        isMarked: isMerge && index === now.at,
      };
    });
    return {
      caption: isMerge ? words.bpe.tableBefore : words.bpe.table,
      columns: words.bpe.columns,
      numeric: [2],
      rows: /** @type {import('./scene.js').TableRow[]} */ (rows.filter(Boolean)),
    };
  },

  draw(view, sheet, markOf) {
    const { facts, state, isAsked } = view;
    const colours = coloursOf(view);
    if (state.now.step === 'done')
      return drawTokens(facts, state.lists.symbols, sheet, n => colours[state.lists.symbols[n].node]);
    const symbols = placed(view, state);
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
        colour: colours[node],
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
          className: `mono faint ${kind}`,
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
 * What a word consists of before any merge, as far as the text shows it.
 * @param {any} facts @param {{id: number}[]} nodes
 */
function firstSymbols(facts, nodes) {
  if (nodes.some(({ id }) => facts.named[id]?.text === null)) return 'bytes';
  return nodes.some(({ id }) => hexOf(facts, id).length > 2) ? 'characters' : 'letters';
}

/** @param {any} facts @param {number} word */
const beginsWithSpace = (facts, word) => pretokenName(facts, facts.pretokens[word].text).startsWith('·');

/** Whether no pair of the word of a step has a rank. @param {import('./scene.js').State} state */
const isDone = ({ now, lists: { symbols, pairs } }) =>
  symbols.every(({ pretoken }, n) => pretoken !== now.pretoken || (pairs[n].rank ?? null) === null);

/**
 * The colours of all nodes, from 0 to 3: a symbol keeps its own as long as it is there, a new one has that of one of
 * its parts if neither neighbour has it.
 */
const coloursOf = oncePerLesson((/** @type {Pick<View, 'facts'|'last'|'stateAt'>} */ { last, stateAt }) => {
  const { nodes } = stateAt(last).lists;
  const { length } = stateAt(0).lists.symbols;
  /** By node. @type {number[][]} */
  const [colours, before, after] = [[], [], []];
  nodes.forEach(({ parts }, node) => {
    if (!parts) {
      colours[node] = node % 4;
      if (node < length) [before[node], after[node]] = [node - 1, node + 1 < length ? node + 1 : -1];
      return;
    }
    const [left, right] = parts;
    before[node] = before[left];
    after[node] = after[right];
    const beside = [colours[before[node]], colours[after[node]]];
    colours[node] = [colours[left], colours[right], 0, 1, 2].find(colour => !beside.includes(colour)) ?? 3;
    after[before[node]] = before[after[node]] = node;
  });
  return colours;
});

/**
 * The symbols of the word at hand, with the leaves that they cover. Of a long word, those around the step.
 * @param {View} view @param {import('./scene.js').State} state whose symbols are meant @returns {Placed[]}
 */
function placed(view, state) {
  const { symbols, nodes } = state.lists;
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
