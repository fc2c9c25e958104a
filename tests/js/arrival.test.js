/** Watch how: a link of another screen leads to the step that makes a token or a merge, or says why to another one. */
import './page.js';
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  beginningLink,
  encodingLesson,
  learnFor,
  placeOf,
  placeWords,
  tokenLink,
} from '../../lab_ui/js/app/lesson_link.js';
import { arrivalAt } from '../../lab_ui/js/lessons/arrival.js';
import { FrameStore } from '../../lab_ui/js/lessons/frame_store.js';
import { LessonView } from '../../lab_ui/js/lessons/lesson_view.js';
import { SCENES } from '../../lab_ui/js/lessons/scenes/index.js';
import { paramsOf, stateOf } from '../../lab_ui/js/screens/learn/learn_state.js';
import { EXAMPLES, lessonOf } from './example_lessons.js';

/** @param {string} name @param {(frame: any) => any} [changed] what the last frame is instead */
function opened(name, changed = frame => frame) {
  const all = EXAMPLES[name].frames;
  const { facts, frames, ends } = lessonOf(name, all.with(-1, changed(all.at(-1))));
  return { facts, store: new FrameStore(frames, ends) };
}

const isSame = (a, b) => a.id === b.id && a.span.join() === b.span.join();
/** Of each lesson on encoding: whether a step has just made a token. */
const MADE = {
  'bpe-encode': ({ now, lists }, token) => now.step === 'merge' && isSame(lists.symbols[now.at], token),
  'wordpiece-encode': ({ now }, token) => now.step === 'unknown' || isSame({ id: now.found, span: now.span }, token),
  'unigram-encode': ({ now, lists }, token) =>
    now.step === 'place' && isSame(lists.nodes[lists.places[now.at].node], token),
};

for (const [name, made] of Object.entries(MADE))
  test(`${name}: each token leads to the step that makes it, or says that none does`, () => {
    const { facts, store } = opened(name);
    let found = 0;
    for (const token of facts.tokens) {
      const { at, message } = arrivalAt({ kind: 'token', byte: token.span[0], id: token.id }, facts, store);
      if (message) assert.match(message, /^No step makes .+: it is a symbol from the start/, message);
      else
        assert.ok(
          made(store.state(at), token) || store.now(at).step === 'tokens',
          `${JSON.stringify(token)}, step ${at}`,
        );
      found += Number(!message);
    }
    assert.ok(found > facts.tokens.length / 2, `${found} of ${facts.tokens.length}`);
  });

test('a token whose span lacks its space, and one that bytes replace', () => {
  const symbols = [
    { id: 1, span: [0, 1], pretoken: 0 },
    { id: 2, span: [1, 2], pretoken: 0 },
    { id: 3, span: [2, 4], pretoken: 0 },
    { id: 4, span: [4, 5], pretoken: 0 },
  ];
  const frames = [
    { now: { step: 'start' }, key: { symbols } },
    {
      now: { step: 'merge', at: 0, pretoken: 0, id: 9 },
      lists: { symbols: [[0, 2, { id: 9, span: [0, 2], pretoken: 0 }]] },
    },
    {
      now: { step: 'tokens', at: 0, count: 4, pretoken: 0 },
      lists: { symbols: [[1, 1, { id: 7, span: [2, 4] }, { id: 8, span: [2, 4] }]] },
    },
    { now: { step: 'done' } },
  ];
  const parts = frames.map(frame => new TextEncoder().encode(JSON.stringify(frame)));
  let end = 0;
  const ends = Uint32Array.from(parts, part => (end += part.length));
  const store = new FrameStore(Uint8Array.from(parts.flatMap(part => [...part])), ends);
  const tokens = [
    { id: 9, span: [1, 2] },
    { id: 7, span: [2, 4] },
    { id: 8, span: [2, 4] },
    { id: 4, span: [4, 5] },
  ];
  const facts = { tokens, pretokens: [{ text: 'abcd', span: [0, 5] }], named: {} };
  const found = tokens.map(({ id, span }) => arrivalAt({ kind: 'token', byte: span[0], id }, facts, store));
  assert.deepEqual(
    found.map(({ at }) => at),
    [1, 2, 2, 2],
  );
  assert.deepEqual(
    found.map(({ message }) => /No step/.test(message)),
    [false, false, false, true],
  );
});

test('a token that is another one in this text, and a place behind it, are said', () => {
  const { facts, store } = opened('bpe-encode');
  const [first] = facts.tokens;
  const other = arrivalAt({ kind: 'token', byte: first.span[0], id: first.id + 1 }, facts, store);
  assert.match(other.message, /another token than in all of it/);
  assert.ok(isSame(store.state(other.at).lists.symbols[store.now(other.at).at], first));
  const behind = arrivalAt({ kind: 'token', byte: 9999, id: 1 }, facts, store);
  assert.deepEqual([behind.at, /no token at that place/.test(behind.message)], [store.length - 1, true]);
});

test('a merge leads to the step that makes its token, with its number here and there', () => {
  for (const name of ['bpe-train', 'wordpiece-train']) {
    const { facts, store } = opened(name);
    const merges = [...Array(store.length).keys()].filter(n => store.now(n).step === 'merge');
    merges.forEach((at, n) => {
      const { bytes } = facts.named[store.now(at).id];
      assert.deepEqual(arrivalAt({ kind: 'merge', number: n + 1, bytes }, facts, store), { at, message: '' });
      const later = arrivalAt({ kind: 'merge', number: 500, bytes }, facts, store);
      assert.equal(later.at, at);
      assert.match(later.message, new RegExp(`is merge ${n + 1} of this text, and merge 500 of that training`));
    });
    const beyond = arrivalAt({ kind: 'merge', number: 500, bytes: 'ffff' }, facts, store);
    assert.equal(beyond.at, merges[merges.length - 1]);
    assert.match(beyond.message, new RegExp(`Merge 500 is beyond .+ merge ${merges.length}`));
    const third = arrivalAt({ kind: 'merge', number: 3, bytes: 'ffff' }, facts, store);
    assert.deepEqual([third.at, /does not learn that token/.test(third.message)], [merges[2], true]);
  }
});

test('a lesson that stopped before there was nothing left to learn says only what it learnt', () => {
  for (const name of ['bpe-train', 'wordpiece-train']) {
    const { facts, store } = opened(name, frame => ({ ...frame, now: { ...frame.now, dry: false } }));
    const merges = [...Array(store.length).keys()].filter(n => store.now(n).step === 'merge');
    const third = arrivalAt({ kind: 'merge', number: 3, bytes: 'ffff' }, facts, store);
    assert.deepEqual(
      [third.at, third.message],
      [merges[2], `The first ${merges.length} merges of this text do not have that token: this is merge 3.`],
    );
    const beyond = arrivalAt({ kind: 'merge', number: 5000, bytes: 'ffff' }, facts, store);
    assert.deepEqual(
      [beyond.at, beyond.message],
      [merges.at(-1), `The lesson learns ${merges.length} tokens at most, and stops before merge 5000.`],
    );
  }
});

test('an iteration leads to the step that ends it, or to the nearest of its stage, which is said', () => {
  const { facts, store } = opened('unigram-train');
  const stages = { maximize: 'em', prune: 'prune', final: 'final' };
  const steps = [...Array(store.length).keys()].filter(n => store.now(n).step in stages);
  const arrival = (number, stage, tokens) => arrivalAt({ kind: 'iteration', number, stage, tokens }, facts, store);
  steps.forEach((at, n) => {
    const { step, tokens } = store.now(at);
    assert.deepEqual(arrival(n + 1, stages[step], tokens), { at, message: '' });
    const other = arrival(n + 1, stages[step], tokens + 1000);
    assert.equal(other.at, at);
    assert.match(other.message, /This iteration leaves .+ tokens in the lesson, and .+ in that training/);
  });
  const last = arrival(500, 'final', 30);
  assert.equal(store.now(last.at).step, 'final');
  assert.equal(last.message, `That training ends with iteration 500, the lesson with iteration ${steps.length}.`);
  const beyond = arrival(500, 'em', 30);
  assert.equal(
    beyond.at,
    steps.findLast(at => store.now(at).step === 'maximize'),
  );
  assert.match(beyond.message, /Iteration 500 of that training is EM/);
  const { store: short } = opened('bpe-train');
  const none = arrivalAt({ kind: 'iteration', number: 1, stage: 'prune', tokens: 9 }, facts, short);
  assert.deepEqual([none.at, /prunes nothing/.test(none.message)], [short.length - 1, true]);
});

test('the step is shown, and what is said of it goes when another one is', () => {
  const { facts, frames, ends } = lessonOf('bpe-encode');
  const token = facts.tokens[2];
  const view = new LessonView();
  document.body.replaceChildren(view);
  const scene = SCENES.find(({ name }) => name === 'bpe-encode');
  const from = { place: { kind: 'token', byte: token.span[0], id: token.id }, isPart: true };
  view.show(scene, { facts, frames, ends }, { way: 'watch', from });
  assert.equal(view.player.at, view.arrived);
  assert.ok(view.player.at > 0);
  assert.match(view.querySelector('.lesson-note').textContent, /only the words around that token/);
  view.player.step(1);
  assert.equal(view.querySelector('.lesson-note').textContent, '');
  view.goFrom({ ...from, isPart: false });
  assert.equal(view.querySelector('.lesson-note').textContent, '');
  assert.equal(view.player.at, view.arrived);
});

test('an address says the place until another step is shown', () => {
  const params = new URLSearchParams({ lesson: 'bpe-encode', sample: 'lower', place: 'token-0-21037', part: '1' });
  const state = stateOf(params);
  assert.deepEqual(state.from, { place: { kind: 'token', byte: 0, id: 21037 }, isPart: true });
  assert.equal(state.at, null);
  assert.equal(paramsOf(state).toString(), params.toString());
  assert.equal(paramsOf({ ...state, at: 0 }).get('at'), '0');
  assert.equal(stateOf(paramsOf({ ...state, at: 0 })).at, 0);
  for (const place of ['', 'token-1', 'token-1-x', 'merge--ff', 'tokens-1-1', 'iteration-1-all-2'])
    assert.equal(placeOf(place), null, place);
  for (const place of [
    { kind: 'end' },
    { kind: 'merge', number: 7, bytes: '6c6f' },
    { kind: 'iteration', number: 3, stage: 'prune', tokens: 740 },
  ])
    assert.deepEqual(placeOf(placeWords(place)), place);
  assert.deepEqual([learnFor({ kind: 'end' }), learnFor(null)], [undefined, undefined]);
  for (const number of [0, 1, 29, 40, 500, 999])
    assert.ok(learnFor({ kind: 'merge', number, bytes: '' }) > number, 'of another text it may come a little later');
  assert.equal(learnFor({ kind: 'merge', number: 70_000, bytes: '' }), 1000);
});

/** Tokens of a text, one per word with the space before it. @param {string} text */
function wordsOf(text) {
  const starts = [...text.matchAll(/\s?\S+/gu)].map(({ index }) => index);
  const bytes = starts.map(at => new TextEncoder().encode(text.slice(0, at)).length);
  return {
    anchor: i => ({ utf8: bytes[i], utf16: starts[i] }),
    start8: { at: i => bytes[i] },
    ids: { at: i => i },
    starts,
  };
}

test('a short text comes along whole, of a long one the words around the token', () => {
  const short = 'naïve words here';
  assert.deepEqual(tokenLink('bpe-encode', 'gpt2', short, wordsOf(short), 2), {
    lesson: 'bpe-encode',
    tokenizer: 'gpt2',
    sample: short,
    place: 'token-12-2',
  });
  const long = 'ünïque wörds 😀 '.repeat(900).trim();
  const tokens = wordsOf(long);
  for (const i of [0, 1, 700, 1500, tokens.starts.length - 1]) {
    const { sample, place, part } = tokenLink('bpe-encode', 'gpt2', long, tokens, i);
    assert.ok(sample.length <= 1000 && sample.length > 900, `${sample.length}`);
    assert.equal(part, '1');
    const { byte } = placeOf(place);
    const from = new TextDecoder().decode(new TextEncoder().encode(sample).slice(byte));
    assert.ok(from.startsWith(long.slice(tokens.starts[i], tokens.starts[i] + 5).trimEnd()), from.slice(0, 9));
    assert.ok(sample.isWellFormed());
    assert.ok(/^\S.*\S$/su.test(sample), 'whole words');
  }
  const letters = '日'.repeat(5000);
  const one = { anchor: () => ({ utf8: 9000, utf16: 3000 }), start8: { at: () => 9000 }, ids: { at: () => 5 } };
  assert.equal(tokenLink('bpe-encode', 'gpt2', letters, one, 0).sample.length, 1000);
  const place = { kind: 'end' };
  assert.equal(beginningLink('encoders', 'gpt2', { text: 'ab cd', isWhole: true }, place).part, undefined);
  assert.equal(beginningLink('encoders', 'gpt2', { text: 'ab cd', isWhole: false }, place).part, '1');
  const cut = beginningLink('encoders', 'gpt2', { text: long, isWhole: true }, place);
  assert.ok(cut.sample.length <= 4000 && long.startsWith(`${cut.sample} `) && cut.part === '1');
});

test('only a tokenizer with a lesson on its model has a link', () => {
  const entry = (model, source = 'built in') => ({ stages: { model }, source });
  assert.equal(encodingLesson(entry('ByteLevelBPE')), 'bpe-encode');
  assert.equal(encodingLesson(entry('Unigram')), 'unigram-encode');
  assert.equal(encodingLesson(entry('WordLevel')), undefined);
  assert.equal(encodingLesson(entry('BPE', 'plug-in')), undefined);
  assert.equal(encodingLesson({ stages: null }), undefined);
  assert.equal(encodingLesson(null), undefined);
});
