/** Unigram: the best sum of scores to each place, then the path read back from the end. */
import { shown, tokenName } from '../names.js';
import { pointing } from '../say.js';
import { ratio } from '../../util/format.js';
import { words } from '../words/index.js';
import { wordOf } from './scene.js';

const LETTERS = 34;
const SHARES = 30;
const BLOCK = 44;
/** Characters of a word that are drawn. */
const MOST_CHARACTERS = 28;

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

  right: ({ next }) => {
    if (next?.now.step !== 'place') return null;
    const [from, to] = next.now.nodes;
    return to - from > 1 ? String(next.lists.places[next.now.at].node) : null;
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

  table({ facts, state, next, isAsked, isRevealed }) {
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
          isAsked && !isRevealed ? '?' : ratio(node.sum),
        ],
        ref: `n${from + n}`,
        choice: isAsked ? String(from + n) : undefined,
        isMarked: !isAsked && lists.places[now.at].node === from + n,
      })),
    };
  },

  draw(view, sheet) {
    const { facts, state, next, isAsked, chosen, isRevealed } = view;
    const word = wordOf(view) ?? 0;
    const part = facts.pretokens[word];
    if (!part) return;
    const characters = Array.from(part.text).slice(0, MOST_CHARACTERS);
    const unit = Math.max(44, Math.min(64, (sheet.room - 48) / Math.max(1, characters.length)));
    const { lists } = isAsked && next ? next : state;
    const base = firstPlace({ lists }, word);
    const heat = sharesOf(part.lattice);
    characters.forEach((character, n) =>
      sheet.text({ x: (n + 0.5) * unit + 24, y: LETTERS / 2, text: shown(character), size: 24 }),
    );
    for (let n = 1; n < characters.length; n++) {
      const share = heat.get(n) ?? 0;
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
    const right = isRevealed ? this.right(view) : null;
    let rows = Math.min(characters.length, 6);
    lists.nodes.forEach((node, n) => {
      const from = node.from - base;
      if (from < 0 || from >= characters.length || wordOfNode(lists, node) !== word) return;
      const to = node.to - base;
      if (to > characters.length) return;
      const length = to - from;
      const row = length - 1; // tokens of one length share a row
      rows = Math.max(rows, length);
      const key = String(n);
      const isChoice = n >= asked[0] && n < asked[1];
      const kinds = [
        best.has(n) ? 'best' : 'other',
        isChoice && chosen === key ? 'wrong' : '',
        isChoice && right === key ? 'right' : '',
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
        label: isChoice ? words.unigram.press(tokenName(facts, node.id), ratio(node.score)) : undefined,
      });
    });
    const foot = top + rows * (BLOCK + 4) + 18;
    for (let n = 0; n <= characters.length; n++) {
      const place = lists.places[base + n];
      const isHidden = isAsked && !isRevealed && base + n === next?.now.at;
      const isNow = base + n === (isAsked ? next?.now.at : state.now.at);
      sheet.round({ x: n * unit + 24, y: foot, r: 11, text: '', className: `place ${isNow ? 'now' : ''}` });
      sheet.text({ x: n * unit + 24, y: foot, text: String(n), size: 11, className: isNow ? 'on-accent' : 'faint' });
      const known = place && place.pretoken === word && !isHidden;
      sheet.text({ x: n * unit + 24, y: foot + 24, text: known ? ratio(place.best) : isHidden ? '?' : '–', size: 11 });
    }
    sheet.width = characters.length * unit + 48;
    sheet.height = foot + 36;
  },
};

/** @param {{lists: Object<string, any[]>}} state @param {number} word @returns {number} the index of the place before it */
function firstPlace({ lists }, word) {
  const at = lists.places.findIndex(({ pretoken }) => pretoken === word);
  return at < 0 ? lists.places.length : at;
}

/** @param {import('./scene.js').State} state at a step `place` @returns {number} the place's number in its word */
const placeNumber = state => state.now.at - firstPlace(state, state.now.pretoken);

/** @param {Object<string, any[]>} lists @param {{from: number}} node */
const wordOfNode = (lists, { from }) => lists.places[from]?.pretoken;

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
    for (const { character, probability } of unit.boundaries) shares.set(offset + character - 1, probability);
    offset += Array.from(unit.text).length;
  }
  return shares;
}

/** @param {number} share */
const shareWords = share =>
  share > 0.995 ? '1' : share < 0.001 ? '0' : share < 0.01 ? share.toFixed(3) : share.toFixed(2);
