/** Exercises: a sheet, one task at a time, with marks that only the backend gives. */
import { press } from './page.js';
import assert from 'node:assert/strict';
import test from 'node:test';
import { Exercises } from '../../lab_ui/js/screens/learn/exercises.js';
import { ExercisesView, seedOf } from '../../lab_ui/js/lessons/exercises_view.js';
import { nameOf, opened, paramsOf, stateOf } from '../../lab_ui/js/screens/learn/learn_state.js';
import { words } from '../../lab_ui/js/lessons/words/index.js';
import { listen } from '../../lab_ui/js/ui/dom.js';
import { flush } from './fake_lab.js';

const line = text => ({ text, note: null });
const TASKS = [
  { kind: 'next-merge', text: 'low', question: 'Which pair?', given: [], choices: [line('l + o'), line('o + w')] },
  { kind: 'count', text: 'a b', question: 'How many?', given: [], choices: [line('1'), line('2')] },
  { kind: 'boundaries', text: 'I am', question: 'Where?', given: [], choices: null },
].map(task => ({ ...task, tokenizer: 'gpt2' }));
const ORIGIN = {
  version: 1,
  tokenizer: 'gpt2',
  seed: 7,
  kind: 'mixed',
  corpus: 'udhr',
  corpus_sha256: 'c'.repeat(64),
  language: 'English',
  count: 3,
  tokenizers: [{ id: 'gpt2', sha256: 'a'.repeat(64) }],
};
const SHEET = { ...ORIGIN, tasks: TASKS, left_out: [] };
const PLACED = {
  tokens: [
    [0, 1],
    [1, 4],
  ],
  places: [],
  found: 1,
  missing: 0,
  extra: 0,
  f1: 1,
}; // prettier-ignore

/** Marks of answers; the second choice is right. @param {(number|number[]|null)[]} answers */
function marksOf(answers) {
  const marks = answers.map((answer, n) => ({
    kind: TASKS[n].kind,
    answer,
    right: answer === null ? null : answer === 1 || Array.isArray(answer),
    solution: answer === null ? null : Array.isArray(answer) ? [1] : 1,
    reason: answer === null ? null : `the reason of ${n}`,
    boundaries: Array.isArray(answer) ? PLACED : null,
  }));
  const count = right => marks.filter(mark => (right ? mark.right : mark.right !== null)).length;
  return { right: count(true), answered: count(false), of: marks.length, marks };
}

/** @param {(number|number[]|null)[]} [answers] */
function viewOf(answers) {
  const view = new ExercisesView();
  document.body.replaceChildren(view);
  view.show({ sheet: SHEET, marks: answers ? marksOf(answers) : null });
  /** @type {any[]} */
  const given = [];
  listen(view, 'answer', detail => given.push(detail));
  return { view, given };
}

/** @param {Element} view */
const submit = view => view.querySelector('[data-role=exercise-next]').click();
/** @param {Element} view */
const states = view => [...view.querySelectorAll('.exercise-marks button')].map(button => button.dataset.state);

test('an address names the sheet', () => {
  const state = stateOf(new URLSearchParams('lesson=exercises&kind=before&seed=7'));
  assert.deepEqual([state.lesson, state.kind, state.seed], ['exercises', 'before', 7]);
  assert.equal(String(paramsOf(state)), 'lesson=exercises&kind=before&seed=7');
  assert.equal(nameOf({ ...state, ...opened('exercises after') }), 'exercises after');
  assert.equal(nameOf({ ...state, ...opened('bpe-encode') }), 'bpe-encode');
  const odd = stateOf(new URLSearchParams('lesson=exercises&kind=none&seed=-1'));
  assert.deepEqual([odd.kind, odd.seed], ['mixed', 0]);
});

test('a seed is a whole number that JavaScript holds exactly', () => {
  assert.deepEqual(['0', ' 7 ', '9007199254740991'].map(seedOf), [0, 7, 2 ** 53 - 1]);
  assert.deepEqual(['', '1.5', '-1', 'x', '9007199254740992'].map(seedOf), [null, null, null, null, null]);
});

test('no answer is marked in the page before it is given', () => {
  const { view, given } = viewOf();
  assert.deepEqual(states(view), ['open', 'open', 'open']);
  submit(view);
  assert.deepEqual(given, []);
  assert.equal(view.querySelector('.lesson-verdict').textContent, words.exercises.none);
  view.querySelectorAll('[type=radio]')[0].checked = true;
  submit(view);
  assert.deepEqual(given, [{ at: 0, answer: 0 }]);
  assert.equal(view.querySelector('label:is([data-state=right], [data-state=wrong])'), null);
});

test('a mark has words, and the next open task follows', () => {
  const { view } = viewOf();
  view.focusWork();
  view.show({ sheet: SHEET, marks: marksOf([0, null, null]) });
  assert.equal(document.activeElement, view.querySelector('[data-role=exercise-next]'));
  assert.deepEqual(states(view), ['wrong', 'open', 'open']);
  assert.equal(view.querySelector('.lesson-verdict').textContent, `${words.exercises.wrong} the reason of 0`);
  assert.match(view.querySelector('label[data-state=right]').textContent, /✓ right$/);
  assert.match(view.querySelector('label[data-state=wrong]').textContent, /✕ your answer$/);
  assert.equal(view.querySelectorAll('.exercise-marks button')[0].getAttribute('aria-label'), 'Task 1: wrong');
  submit(view);
  assert.equal(view.querySelector('.lesson-task').textContent, 'How many?');
  assert.equal(view.querySelector('.exercise-text').textContent, 'a b');
  assert.equal(document.activeElement.type, 'radio');
});

test('boundaries are an answer, and stay beside the tokens', () => {
  const { view, given } = viewOf([1, 1, null]);
  const [first] = view.querySelectorAll('[data-choice]');
  press(first, ' ');
  submit(view);
  assert.deepEqual(given, [{ at: 2, answer: [1] }]);
  view.show({ sheet: SHEET, marks: marksOf([1, 1, [1]]) });
  assert.equal(view.querySelectorAll('[data-choice]').length, 0);
  assert.equal(view.querySelector('[data-role=exercise-next]').textContent, words.exercises.toScore);
});

test('a task on a misconception says what holds, never the misconception as if it were right', () => {
  const tasks = TASKS.map((task, n) => (n ? task : { ...task, kind: 'syllables' }));
  const { view } = viewOf();
  view.show({ sheet: { ...SHEET, tasks }, marks: marksOf([1, 0, [1]]) });
  assert.equal(view.querySelectorAll('.exercise-results li').length, 3);
  const [said] = [...view.querySelectorAll('.exercise-results li')].map(({ textContent }) => textContent);
  assert.ok(said.includes(words.exercises.truths.syllables) && !said.includes(words.exercises.kinds.syllables), said);
  view.go(0);
  assert.ok(view.querySelector('.lesson-verdict').textContent.includes(words.exercises.truths.syllables));
});

test('a sheet that was answered opens with its score, and can be cleared', () => {
  const { view } = viewOf([0, 1, [1]]);
  assert.equal(view.querySelector('.exercise-results').parentElement.hidden, false);
  assert.equal(view.querySelector('.exercise-results').children.length, 3);
  assert.match(view.textContent, /2 of 3 right\./);
  view.show({ sheet: SHEET, marks: null });
  assert.deepEqual(states(view), ['open', 'open', 'open']);
  view.step(2);
  assert.ok(view.querySelectorAll('[data-choice]').length);
});

/**
 * Opens the sheet in a lab that keeps some answers. `bodies` are what marks are asked for; `fails` refuses some.
 * @param {Object<string, any>[]} sheets @param {(body: any) => boolean} [fails]
 */
async function openedWith(sheets, fails = () => false) {
  /** @type {any[]} */
  const [bodies, problems] = [[], []];
  globalThis.fetch = async (path, { body, signal }) => {
    if (!body) return Response.json(path.includes('progress') ? { sheets } : SHEET);
    const asked = JSON.parse(body);
    bodies.push(asked);
    await flush();
    signal.throwIfAborted();
    const error = { code: 'bad_request', message: 'No answer.', hint: '' };
    return fails(asked) ? Response.json({ error }, { status: 422 }) : Response.json(marksOf(asked.answers));
  };
  const context = { activity: { track: work => work }, status: { showError: error => problems.push(error.message) } };
  const hooks = { shown() {}, refused: error => problems.push(error.message), seed() {}, marked() {} };
  const exercises = new Exercises(/** @type {any} */ (context), hooks);
  document.body.replaceChildren(exercises.view);
  exercises.open({ tokenizer: 'gpt2', seed: 7, kind: 'mixed' });
  await settled();
  return { exercises, view: exercises.view, bodies, problems };
}

/** Lets answers of the lab arrive, whose bodies are streams. */
async function settled() {
  for (let n = 0; n < 20; n++) await new Promise(resolve => setImmediate(resolve));
}

test('kept answers are those of the same tokenizer, corpus and version alone', async () => {
  const kept = { ...ORIGIN, id: 1, answered: 1, answers: [0, null, null] };
  assert.deepEqual(states((await openedWith([kept])).view), ['wrong', 'open', 'open']);
  for (const other of [
    { version: 0 },
    { corpus_sha256: 'd'.repeat(64) },
    { tokenizers: [{ id: 'gpt2', sha256: 'b'.repeat(64) }] },
  ]) {
    const { view, bodies, problems } = await openedWith([{ ...kept, ...other }]);
    assert.deepEqual([states(view), bodies, problems], [['open', 'open', 'open'], [], []]);
  }
});

test('a second answer joins one that has no mark yet, and one that fails is taken back', async () => {
  const { view, bodies, problems } = await openedWith([], ({ answers }) => answers[2] !== null);
  const answer = (at, answer) => view.emit('answer', { at, answer });
  answer(0, 0);
  answer(1, 1);
  await settled();
  assert.deepEqual(bodies.at(-1).answers, [0, 1, null]);
  assert.deepEqual(states(view), ['wrong', 'right', 'open']);
  answer(2, [1]);
  await settled();
  assert.deepEqual(problems, ['No answer.']);
  answer(1, 0);
  await settled();
  assert.deepEqual(bodies.at(-1).answers, [0, 0, null]);
});

test('an answer to the sheet before ends no opening of another one', async () => {
  const { exercises, view, bodies } = await openedWith([]);
  const first = globalThis.fetch;
  globalThis.fetch = async (path, options) =>
    path.includes('seed=8') ? Response.json({ ...SHEET, seed: 8 }) : first(path, options);
  exercises.open({ tokenizer: 'gpt2', seed: 8, kind: 'mixed' });
  view.emit('answer', { at: 0, answer: 1 });
  await settled();
  assert.deepEqual([view.querySelector('#exercise-seed').value, bodies], ['8', []]);
});
