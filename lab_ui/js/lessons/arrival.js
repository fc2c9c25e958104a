/**
 * Where "Watch how" begins: the step of a lesson that makes a token, a merge or an iteration of another screen. Where
 * the lesson has no such step, the nearest one, with a sentence that says so.
 */
import { count } from '../util/format.js';
import { tokenName } from './names.js';
import { words } from './words/index.js';

/**
 * @typedef {{kind: 'token', byte: number, id: number}} TokenPlace a token that starts at a byte of the lesson's text
 * @typedef {{kind: 'merge', number: number, bytes: string}} MergePlace a merge of a training, from 1, with the bytes of
 *   its token in hex
 * @typedef {'em'|'prune'|'final'} Stage of an iteration of Unigram training
 * @typedef {{kind: 'iteration', number: number, stage: Stage, tokens: number}} IterationPlace an iteration, from 1,
 *   with the tokens that it leaves
 * @typedef {TokenPlace|MergePlace|IterationPlace|{kind: 'end'}} Place `end`: the last step
 * @typedef {{at: number, message: string}} Arrival a step, and what is to be said of it ('': it is the very one)
 * @typedef {import('./frame_store.js').FrameStore} FrameStore
 * @typedef {{id: number, span: [number, number]}} Token
 */

/** @param {Place} place @param {any} facts @param {FrameStore} store @returns {Arrival} */
export function arrivalAt(place, facts, store) {
  if (place.kind === 'token') return tokenArrival(place, facts, store);
  if (place.kind === 'merge') return mergeArrival(place, facts, store);
  if (place.kind === 'iteration') return iterationArrival(place, store);
  return { at: store.length - 1, message: '' };
}

/** @param {{byte: number, id: number}} place @param {any} facts @param {FrameStore} store @returns {Arrival} */
function tokenArrival({ byte, id }, facts, store) {
  /** @type {Token[]} */
  const tokens = facts.tokens;
  const token =
    tokens.find(each => each.id === id && each.span[0] === byte) ??
    tokens.find(({ span: [from, to] }) => from <= byte && byte < to);
  if (!token) return { at: store.length - 1, message: words.arrival.noToken };
  const name = tokenName(facts, token.id);
  const other = token.id === id ? '' : words.arrival.otherToken(name);
  const word = facts.pretokens.findIndex(
    (/** @type {Token} */ { span: [from, to] }) => from <= token.span[0] && token.span[0] < to,
  );
  const made = stepThatMakes(token, word, store);
  if (made >= 0) return { at: made, message: other };
  const near = lastStep(store, ({ pretoken }) => pretoken !== undefined && pretoken <= word);
  return { at: Math.max(0, near), message: [other, words.arrival.noStep(name)].filter(Boolean).join(' ') };
}

/** @param {Token} token @param {number} word its pretoken @param {FrameStore} store @returns {number} -1: none does */
function stepThatMakes(token, word, store) {
  const { nodes = [], tokens = [] } = store.state(store.length - 1).lists;
  const placed = tokens.find(each => isSame(each, token))?.node ?? null;
  const end = placed === null ? null : nodes[placed]?.to;
  /** @param {number} n */
  const makes = n => {
    const now = store.now(n);
    if (now.pretoken !== word) return false;
    if (now.step === 'merge') return now.id === token.id && isSame(store.state(n).lists.symbols[now.at], token);
    if (now.step === 'look_up') return now.found === token.id && isSame({ id: now.found, span: now.span }, token);
    if (now.step === 'place') return now.at === end;
    if (now.step === 'tokens') {
      const [before, after] = [n - 1, n].map(at => store.state(at).lists.symbols ?? tokens);
      return after === before || (has(after, token) && !has(before, token));
    }
    return now.step === 'unknown' || now.step === 'too_long' || now.step === 'added';
  };
  for (let n = 0; n < store.length; n++) if (makes(n)) return n;
  return -1;
}

/**
 * Whether two tokens are one: the span of one may lack the space before it.
 * @param {Token} a @param {Token} b
 */
const isSame = (a, b) =>
  a.id === b.id && (a.span.join() === b.span.join() || (a.span[0] < b.span[1] && b.span[0] < a.span[1]));

/** @param {Token[]} tokens @param {Token} token */
const has = (tokens, token) => tokens.some(each => isSame(each, token));

/** @param {{number: number, bytes: string}} place @param {any} facts @param {FrameStore} store @returns {Arrival} */
function mergeArrival({ number, bytes }, facts, store) {
  const merges = Array.from({ length: store.length }, (_, n) => n).filter(n => store.now(n).step === 'merge');
  /** @param {number} n */
  const named = n => facts.named[store.now(n).id];
  const same = merges.findIndex(n => bytes && named(n).bytes === bytes);
  if (same >= 0)
    return {
      at: merges[same],
      message:
        same + 1 === number ? '' : words.arrival.otherNumber(named(merges[same]).text ?? bytes, same + 1, number),
    };
  if (!merges.length) return { at: 0, message: words.arrival.nothingLearnt };
  const { dry: isWhole } = store.now(store.length - 1);
  const { length } = merges;
  if (number > length) return { at: merges[length - 1], message: words.arrival.beyond(number, length, isWhole) };
  return { at: merges[number - 1], message: bytes ? words.arrival.otherMerge(number, length, isWhole) : '' };
}

/** The step that ends an iteration of each stage. @type {Record<Stage, string>} */
const ENDS = { em: 'maximize', prune: 'prune', final: 'final' };

/** @param {IterationPlace} place @param {FrameStore} store @returns {Arrival} */
function iterationArrival({ number, stage, tokens }, store) {
  const isEnd = (/** @type {number} */ n) => Object.values(ENDS).includes(store.now(n).step);
  const all = Array.from({ length: store.length }, (_, n) => n).filter(isEnd);
  const same = all.filter(n => store.now(n).step === ENDS[stage]);
  if (!same.length) return { at: store.length - 1, message: words.arrival.noStage[stage] };
  const wanted = number - 1;
  const distance = (/** @type {number} */ n) => Math.abs(all.indexOf(n) - wanted);
  const at = same.reduce((best, n) => (distance(n) < distance(best) ? n : best));
  const left = store.now(at).tokens;
  const here = all.indexOf(at) + 1;
  if (here !== number) return { at, message: words.arrival.otherIteration[stage](here, number) };
  return { at, message: left === tokens ? '' : words.arrival.otherSize(count(left), count(tokens)) };
}

/** @param {FrameStore} store @param {(now: import('./frame_store.js').Now) => boolean} is @returns {number} -1: none */
function lastStep(store, is) {
  for (let n = store.length - 1; n >= 0; n--) if (is(store.now(n))) return n;
  return -1;
}
