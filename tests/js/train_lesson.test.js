/** The lesson on training: what is asked of the end of the curve, and the counts of tokens. */
import './page.js';
import assert from 'node:assert/strict';
import test from 'node:test';
import { FrameStore } from '../../lab_ui/js/lessons/frame_store.js';
import { LessonView } from '../../lab_ui/js/lessons/lesson_view.js';
import { pretokenName, shown, tokenName, visible } from '../../lab_ui/js/lessons/names.js';
import { bpeTrain, likelyEnds } from '../../lab_ui/js/lessons/scenes/train.js';
import { EXAMPLES, lessonOf } from './example_lessons.js';

const { facts } = EXAMPLES['bpe-train'];

/** @param {'watch'|'do'} way @param {number} at */
function opened(way, at) {
  const view = new LessonView();
  document.body.replaceChildren(view);
  view.show(bpeTrain, lessonOf('bpe-train'), { way, at });
  return view;
}

test('the ends that can be guessed are different, possible, and the true one is among them', () => {
  for (let first = 2; first < 40; first++)
    for (let now = 1; now < first; now++)
      for (let end = 1; end < now; end++)
        for (const [done, left] of [
          [2, 3],
          [2, 30],
        ]) {
          const ends = likelyEnds({ first, now, end, done, left });
          assert.ok(ends.includes(end), `${ends}`);
          assert.equal(new Set(ends).size, ends.length);
          assert.ok(ends.length >= 2 && ends.length <= 4, `${first} ${now} ${end}: ${ends}`);
          assert.ok(ends.length === 4 || now < 4, `${first} ${now} ${end}: ${ends}`);
          assert.ok(
            ends.every((each, n) => each >= 1 && each <= now && !(n && ends[n - 1] <= each)),
            `${ends}`,
          );
        }
  assert.deepEqual(likelyEnds({ first: 1000, now: 800, end: 400, done: 2, left: 10 }), [600, 400, 399, 200]);
});

test('the end of the curve is asked for once, a miss says the numbers, and the guess stays', () => {
  const view = opened('do', 2);
  assert.equal(view.player.at, 2);
  const store = new FrameStore(lessonOf('bpe-train').frames, lessonOf('bpe-train').ends);
  const last = store.length - 1;
  const { symbols } = store.now(last);
  assert.match(view.querySelector('.lesson-task').textContent, new RegExp(`after step ${last}\\?`));
  const keys = [...view.querySelectorAll('svg [data-choice]')].map(({ dataset }) => dataset.choice);
  assert.ok(keys.includes(String(symbols)) && keys.every(key => /^\d+$/.test(key)), `${keys}`);
  const wrong = keys.find(key => key !== String(symbols));
  view.choose(wrong);
  assert.match(
    view.querySelector('.lesson-verdict').textContent,
    new RegExp(`It ends at ${symbols}, not at ${wrong}: 2 merges saved \\d+ symbols, the next \\d+ save \\d+`),
  );
  view.choose(String(symbols));
  assert.equal(view.player.at, 3);
  assert.match(view.querySelector('.lesson-verdict').textContent, new RegExp(`After step ${last} the corpus has`));
  const guess = () => view.querySelector('svg').textContent.includes(`your guess: ${wrong}`);
  assert.ok(guess());
  view.player.go(1);
  assert.ok(!guess(), 'not before it was asked for');
  view.player.go(last);
  assert.ok(guess());
  assert.equal(opened('watch', 2).querySelector('[data-choice]'), null);
});

test('the vocabulary has the count at its merge and the count now', () => {
  const store = new FrameStore(lessonOf('bpe-train').frames, lessonOf('bpe-train').ends);
  const view = opened('watch', store.length - 1);
  const { vocabulary, words } = store.state(store.length - 1).lists;
  const said = [...view.querySelectorAll('svg text')].map(({ textContent }) => textContent);
  const merged = vocabulary.filter(({ parts }) => parts).slice(-5);
  assert.ok(merged.length >= 2);
  for (const { id, count } of merged) {
    let now = 0;
    for (const word of words) for (const symbol of word.symbols) if (symbol === id) now += word.count;
    assert.ok(said.includes(`${count}, now ${now}`), `${tokenName(facts, id)}: ${said}`);
  }
});

test('a space has one mark, but where the mark of SentencePiece is the subject', () => {
  assert.deepEqual(['▁the', ' the', '▁'].map(shown), ['·the', '·the', '·']);
  assert.equal(visible('▁the cat'), '▁the·cat');
  assert.equal(pretokenName({ text: 'the cat' }, '▁cat'), '·cat');
  assert.equal(pretokenName({ text: 'the▁cat' }, '▁cat'), '▁cat', 'a character of the text');
  const named = {
    1: { token: '▁the', text: '▁the', bytes: 'e29681746865' },
    2: { token: 'âĸģ', text: '▁', bytes: 'e29681' },
  };
  assert.deepEqual([tokenName({ named }, 1), tokenName({ named }, 2)], ['·the', '▁']);
});
