/** Lessons for a room: what a clicker does, the votes of a class, parts of a playlist. */
import { forgotten } from './page.js'; // before what draws
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { LessonView } from '../../lab_ui/js/lessons/lesson_view.js';
import { PlaceView } from '../../lab_ui/js/lessons/place_view.js';
import { SCENES } from '../../lab_ui/js/lessons/scenes/index.js';
import { VOTE_KEYS, VoteBars } from '../../lab_ui/js/lessons/vote_bars.js';
import { stateOf } from '../../lab_ui/js/screens/learn/learn_state.js';
import { minutesOf, partOf, stateOfPart } from '../../lab_ui/js/screens/learn/playlist.js';
import { listen } from '../../lab_ui/js/ui/dom.js';
import { lessonOf } from './example_lessons.js';

const PLAN = JSON.parse(
  readFileSync(new URL('../../lab_app/services/exercises/lecture.json', import.meta.url), 'utf8'),
);

/** Begins a lesson in a room. @param {string} name @param {'watch'|'do'} way */
function viewOf(name, way) {
  const view = new LessonView();
  document.body.replaceChildren(view);
  view.show(
    SCENES.find(scene => scene.name === name),
    lessonOf(name),
    { way },
  );
  view.present(1, VOTE_KEYS); // a larger one is drawn anew until it fits, and here nothing has a size
  return view;
}

const verdict = view => view.querySelector('.lesson-verdict:not([hidden])')?.textContent ?? '';

test('a clicker walks each lesson to its end and back to its start', async () => {
  for (const { name } of SCENES) {
    const watched = viewOf(name, 'watch');
    let steps = 0;
    for (; watched.goOn(null); steps++) await forgotten();
    assert.equal(watched.player.at, watched.player.last, name);
    assert.ok(steps > 1, name);
    while (watched.goBack()) await forgotten();
    assert.equal(watched.player.at, 0, name);
  }
});

test('the answer of a task is covered, then shown, then the next one is asked', () => {
  for (const { name } of SCENES) {
    const view = viewOf(name, 'do');
    const first = view.question;
    assert.equal(first.right, null, name);
    assert.ok(first.choices.length > 0 && first.choices.every(({ label }) => label), name);
    assert.equal(verdict(view), '', name);
    assert.equal(view.isCovered, true);
    view.goOn(null);
    const { at, right } = view.question;
    assert.equal(at, first.at, 'the same step');
    assert.ok(view.querySelector(`svg [data-choice="${right}"]`), name);
    assert.match(verdict(view), /The answer: ./, name);
    view.goBack();
    assert.equal(view.question.right, null, 'covered again');
    const other = first.choices.find(({ key }) => key !== right);
    if (other) {
      view.goOn(other.key);
      assert.match(verdict(view), /Wrong/, 'what most said is wrong, and the reason is there');
    } else view.goOn(null);
    view.goOn(null);
    assert.notEqual(view.player.at, first.at, name);
  }
});

test('choices carry their keys in a room alone', () => {
  const view = viewOf('bpe-encode', 'do');
  const signs = () => [...view.querySelectorAll('svg .round text:not(.below)')].map(({ textContent }) => textContent);
  assert.deepEqual(signs().slice(0, 3), ['1', '2', '3']);
  view.present(1, []);
  assert.deepEqual(signs().slice(0, 3), ['+', '+', '+']);
});

test('the last step of the encoders shows the charts in a room', () => {
  const view = viewOf('encoders', 'watch');
  const marks = () => view.querySelectorAll('svg .marker').length;
  assert.equal(marks(), 0);
  view.player.go(view.player.last);
  assert.equal(marks(), 8);
  view.player.step(-1);
  assert.equal(marks(), 0);
});

test('votes are counted, taken back, and shown with the answer', () => {
  const bars = new VoteBars();
  document.body.replaceChildren(bars);
  const choices = ['a', 'b', 'c'].map(label => ({ key: `key ${label}`, label }));
  bars.ask('1', { at: 0, choices, right: null });
  assert.equal(bars.most, null);
  for (const n of [2, 0, 0, 2, 2, 9]) bars.vote(n);
  assert.equal(bars.most, 'key c');
  assert.match(bars.textContent, /^5 votes/);
  assert.equal(bars.querySelector('li'), null, 'nobody sees what others chose');
  bars.takeBack();
  bars.takeBack();
  assert.equal(bars.most, 'key a');
  bars.ask('1', { at: 0, choices, right: 'key b' });
  assert.deepEqual(
    [...bars.querySelectorAll('li')].map(item => [...item.children].map(({ textContent }) => textContent).join(' ')),
    ['1 a 2 ', '2 b 0 ✓ right ', '3 c 1 '],
  );
  bars.vote(1);
  bars.takeBack();
  assert.match(bars.textContent, /^3 votes/, 'the answer ends the vote');
  bars.ask('2', { at: 1, choices, right: null });
  assert.match(bars.textContent, /^0 votes/);
  bars.vote(0);
  bars.clear();
  assert.equal(bars.most, null, 'another room has not voted');
  bars.ask('2', null);
  assert.equal(bars.hidden, true);
  assert.deepEqual(bars.open, []);
});

test('boundaries are revealed, then each reason is shown alone', () => {
  const view = new PlaceView();
  document.body.replaceChildren(view);
  view.present(2);
  view.text = 'abc';
  /** @type {number[][]} */
  const asked = [];
  listen(view, 'reveal', guess => asked.push(guess));
  assert.equal(view.goBack(), false);
  view.goOn();
  assert.deepEqual(asked, [[]]);
  const place = { until: 1, guess: null, mark: 'missing', kind: null, reason: null };
  const places = [1, 2].map(number => ({ ...place, at: number, number }));
  const tokens = [0, 1, 2].map(at => [at, at + 1]);
  view.show({ tokens, places, found: 0, missing: 2, extra: 0, f1: 0 });
  const reasons = () => [...view.querySelectorAll('.place-reasons li')].map(({ value }) => value);
  assert.deepEqual(reasons(), []);
  assert.deepEqual([view.goOn(), reasons()], [true, [1]]);
  assert.deepEqual([view.goOn(), reasons()], [true, [2]]);
  assert.equal(view.goOn(), false);
  while (view.goBack());
  assert.equal(view.isCovered, true);
});

test('a text whose tokens are counted has no place to press', () => {
  const view = new PlaceView();
  document.body.replaceChildren(view);
  view.asksCount = true;
  view.text = 'ab';
  assert.equal(view.querySelector('[data-choice]'), null);
  assert.match(view.textContent, /How many tokens/);
  view.show({
    tokens: [
      [0, 1],
      [1, 2],
    ],
    places: [],
    found: 0,
    missing: 1,
    extra: 0,
    f1: 0,
  }); // prettier-ignore
  assert.match(view.textContent, /It has 2 tokens/);
});

test('the parts of the plan are states of Learn, one after the other', () => {
  assert.deepEqual(minutesOf(PLAN.parts), [0, 3, 10, 14, 17, 27, 34, 39, 45]);
  const part = { way: 'watch', tokenizer: null, text: '', sheet: 'mixed', seed: 0, step: 4, learn: null, note: '' };
  assert.deepEqual(stateOfPart({ ...part, title: 'A', minutes: 1, show: 'utf8' }), {
    lesson: 'utf8',
    way: 'watch',
    tokenizer: null,
    sample: null,
    at: 4,
    learn: null,
    from: null,
    kind: 'mixed',
    seed: 0,
    playlist: null,
  });
});

test('a part that is added at a late merge of a training learns up to it', () => {
  const shown = { title: 'A', tokenizer: 'gpt2', text: 'low lower' };
  const state = stateOf(new URLSearchParams('lesson=bpe-train&sample=low+lower&place=merge-500-6c6f&at=501'));
  const part = partOf(state, shown);
  assert.ok(part.step === 501 && part.learn > 500, `${part.learn}`);
  assert.equal(stateOfPart(part).learn, part.learn);
  assert.equal(partOf(stateOf(new URLSearchParams('lesson=bpe-train&at=3')), shown).learn, null);
});
