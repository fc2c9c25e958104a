/** Unigram: the best sum of scores to each place, then the path read back from the end. */
import { shown, tokenName } from '../names.js';
import { pointing } from '../say.js';
import { ratio } from '../../util/format.js';
import { words } from '../words/index.js';
import { oncePerLesson, wordOf } from './scene.js';

const LETTERS = 34;
const SHARES = 30;
const BLOCK = 38;
/** Characters of a word that are drawn: those around the step. */
const MOST_CHARACTERS = 40;

/** @typedef {import('./scene.js').View} View */

/** @type {import('./scene.js').Scene} */
export const unigramEncode = {
  name: 'unigram-encode',
  group: 'encoding',
  model: 'Unigram',
  example: 'unaffordable tokens',

  stop(now) {
    if (now.step === 'start') return words.stops.start;
    if (now.step === 'done') return words.stops.done;
    return '';
  },

  asks: next => next.step === 'place' && next.nodes[1] - next.nodes[0] > 1,

  right: ({ next }) => (next ? String(next.lists.places[next.now.at].node) : null),

  isRight({ next }, key) {
    const { nodes, places } = /** @type {import('./scene.js').State} */ (next).lists;
    return ratio(nodes[Number(key)].sum) === ratio(places[next?.now.at].best);
  },

  task: ({ isAsked, state, next }) => {
    if (isAsked) return words.unigram.task(placeNumber(/** @type {any} */ (next)));
    return state.now.step === 'back' ? words.unigram.taskBack : words.unigram.taskWatch;
  },

  sentence({ facts, state }) {
    const { now, lists } = state;
    if (now.step === 'start') return words.unigram.start(facts.pretokens.length);
    if (now.step === 'place') {
      const { best, node } = lists.places[now.at];
      const ways = now.nodes[1] - now.nodes[0];
      if (node === null || !lists.nodes[node]) return words.unigram.nothing;
      return words.unigram.place({
        token: pointing(tokenName(facts, lists.nodes[node].id), `n${node}`),
        place: placeNumber(state),
        ways,
        sum: ratio(best),
      });
    }
    if (now.step === 'back') {
      const { id, from } = lists.nodes[now.node];
      const base = firstPlace(state, now.pretoken);
      return words.unigram.back({ token: pointing(tokenName(facts, id), `n${now.node}`), place: from - base });
    }
    if (now.step === 'added') return words.unigram.added;
    if (now.step !== 'done') return words.unigram.other;
    return words.unigram.done(facts.ids.length);
  },

  miss({ facts, next }, chosen, right) {
    /** @param {string} key */
    const way = key => {
      const { nodes, places } = /** @type {import('./scene.js').State} */ (next).lists;
      const { id, sum, score, from } = nodes[Number(key)];
      const before = places[from].best;
      return {
        token: pointing(tokenName(facts, id), `n${key}`),
        sum: ratio(sum),
        score: ratio(score),
        before: ratio(before),
      };
    };
    return words.unigram.miss({ chosen: way(chosen), right: way(right) });
  },

  table({ facts, state, next, isAsked, chosen }) {
    const shownState = isAsked && next ? next : state;
    const { now, lists } = shownState;
    const [from, to] = now.step === 'place' ? now.nodes : [0, 0];
    return {
      caption: words.unigram.table(now.step === 'place' ? placeNumber(shownState) : null),
      columns: words.unigram.columns,
      numeric: [1, 2, 3],
      rows: lists.nodes.slice(from, to).map((node, n) => ({
        cells: [
          tokenName(facts, node.id),
          ratio(lists.places[node.from].best),
          ratio(node.score),
          isAsked && chosen === null ? '?' : ratio(node.sum),
        ],
        ref: `n${from + n}`,
        choice: isAsked ? String(from + n) : undefined,
        isMarked: !isAsked && lists.places[now.at].node === from + n,
      })),
    };
  },

  draw(view, sheet, markOf) {
    const { facts, state, next, isAsked, chosen } = view;
    const word = wordOf(view) ?? 0;
    const part = facts.pretokens[word];
    if (!part) return;
    const { lists } = isAsked && next ? next : state;
    const base = firstPlace({ lists }, word);
    const whole = Array.from(part.text);
    const now = (isAsked ? next?.now.at : state.now.at) ?? lists.nodes[state.now.node]?.to ?? base;
    const first = Math.max(0, Math.min(now - base - MOST_CHARACTERS / 2, whole.length - MOST_CHARACTERS));
    const characters = whole.slice(first, first + MOST_CHARACTERS);
    const unit = Math.max(40, Math.min(64, (sheet.room - 48) / Math.max(1, characters.length)));
    const heat = sharesOf(part.lattice);
    characters.forEach((character, n) =>
      sheet.text({ x: (n + 0.5) * unit + 24, y: LETTERS / 2, text: shown(character), size: 24 }),
    );
    for (let n = 1; n < characters.length; n++) {
      const share = heat.get(first + n);
      if (share === undefined || isAsked) continue; // it would give the path away
      const group = sheet.box({
        x: n * unit + 24 - 20,
        y: LETTERS + 4,
        width: 40,
        height: 20,
        text: shareWords(share),
        size: 11,
        className: 'share',
      });
      /** @type {SVGElement} */ (group.firstElementChild).style.fillOpacity = String(share);
      if (share > 0.55) group.classList.add('strong');
    }
    const top = LETTERS + SHARES + 8;
    const best = new Set(isAsked ? [] : pathOf(state, word));
    const asked = isAsked && next ? next.now.nodes : [0, 0];
    const { rowOf, taken } = rowsOf(view);
    const rows = taken[word]?.length ?? 1;
    lists.nodes.forEach((node, n) => {
      const from = node.from - base - first;
      const to = node.to - base - first;
      if (from < 0 || to > characters.length || lists.places[node.from].pretoken !== word) return;
      const length = to - from;
      const row = rowOf[n] ?? 0;
      const key = String(n);
      const isChoice = n >= asked[0] && n < asked[1];
      const kinds = [
        best.has(n) ? 'best' : 'other',
        isChoice && markOf(key),
        isChoice ? 'choice' : '',
        !isAsked && state.now.step === 'place' && lists.places[state.now.at].node === n ? 'new' : '',
      ];
      sheet.box({
        x: from * unit + 26,
        y: top + row * (BLOCK + 4),
        width: length * unit - 4,
        height: BLOCK,
        text: tokenName(facts, node.id),
        size: 17,
        below: ratio(node.score),
        ref: `n${n}`,
        className: kinds.filter(Boolean).join(' '),
        choice: isChoice ? key : undefined,
        label: words.unigram.press(tokenName(facts, node.id), ratio(node.score)),
      });
    });
    const foot = top + rows * (BLOCK + 4) + 18;
    for (let n = 0; n <= characters.length; n++) {
      const at = base + first + n;
      const place = lists.places[at];
      const isHidden = isAsked && chosen === null && at === next?.now.at;
      const isNow = at === now && state.now.step !== 'done';
      sheet.round({ x: n * unit + 24, y: foot, r: 11, text: '', className: `place ${isNow ? 'now' : ''}` });
      sheet.text({
        x: n * unit + 24,
        y: foot,
        text: String(first + n),
        size: 11,
        className: isNow ? 'on-accent' : 'faint',
      });
      const known = place && place.pretoken === word && !isHidden;
      const sum = known ? ratio(place.best) : isHidden ? '?' : '–';
      sheet.text({ x: n * unit + 24, y: foot + 24, text: sum, size: 11 });
    }
    if (!isAsked) sheet.text({ x: 24, y: foot + 46, text: words.unigram.shares, anchor: 'start', className: 'faint' });
    sheet.focus = (now - base - first) * unit + 24;
    sheet.width = characters.length * unit + 48;
    sheet.height = foot + 54;
  },
};

/**
 * @param {{lists: Object<string, any[]>}} state @param {number} word
 * @returns {number} the index of the place before it
 */
function firstPlace({ lists }, word) {
  const at = lists.places.findIndex(({ pretoken }) => pretoken === word);
  return at < 0 ? lists.places.length : at;
}

/** @param {import('./scene.js').State} state at a step `place` @returns {number} the place's number in its word */
const placeNumber = state => state.now.at - firstPlace(state, state.now.pretoken);

/** The rows of all tokens, so that nothing moves from step to step: the first row where a token has room. */
const rowsOf = oncePerLesson((/** @type {View} */ { last, stateAt }) => {
  const { nodes, places } = stateAt(last).lists;
  /** Spans by word and row. @type {[number, number][][][]} */
  const taken = [];
  /** By node. @type {number[]} */
  const rowOf = [];
  for (const { from, to } of nodes) {
    const word = places[from].pretoken;
    taken[word] ??= [];
    const rows = taken[word];
    let row = rows.findIndex(spans => spans.every(([start, end]) => end <= from || start >= to));
    if (row < 0) row = rows.push([]) - 1;
    rows[row].push([from, to]);
    rowOf.push(row);
  }
  return { rowOf, taken };
});

/**
 * The nodes of the best path as far as it is read back; before that, of the best path to the place of the step.
 * @param {import('./scene.js').State} state @param {number} word @returns {number[]}
 */
function pathOf({ now, lists }, word) {
  const read = lists.tokens.filter(({ pretoken }) => pretoken === word).map(({ node }) => node);
  if (read.length || now.step !== 'place') return read;
  const found = [];
  for (
    let node = lists.places[now.at].node;
    node !== null && node !== undefined;
    node = lists.places[lists.nodes[node].from].node
  )
    found.push(node);
  return found;
}

/** @param {any} lattice @returns {Map<number, number>} the share of all segmentations with a boundary, by character */
function sharesOf(lattice) {
  const shares = new Map();
  let offset = 0;
  for (const unit of lattice?.units ?? []) {
    if (offset) shares.set(offset, 1);
    for (const { character, probability } of unit.boundaries) shares.set(offset + character, probability);
    offset += Array.from(unit.text).length;
  }
  return shares;
}

/** @param {number} share */
const shareWords = share =>
  share > 0.995 ? '1' : share < 0.001 ? '0' : share < 0.01 ? share.toFixed(3) : share.toFixed(2);
