import assert from 'node:assert/strict';
import test from 'node:test';
import { commandFor } from '../../lab_ui/js/app/commands/command.js';
import { coveredLanes } from '../../lab_ui/js/app/presentation/covered_lanes.js';
import { countInLine, countLinesWithText, linesWithText } from '../../lab_ui/js/app/presentation/line_counts.js';
import { BUILT_IN, MOST_BYTES, nameOf, problemOf } from '../../lab_ui/js/app/presentation/prepared_texts.js';
import { present } from '../../lab_ui/js/app/presentation/present.js';
import { presentedRows, windowScale } from '../../lab_ui/js/app/presentation/presented_rows.js';
import { presenterCommands } from '../../lab_ui/js/app/presentation/presenter_commands.js';
import {
  currentStep,
  hiddenOf,
  isRevealed,
  paramsOf,
  reduce,
  stateOf,
} from '../../lab_ui/js/app/presentation/presenter_state.js';
import { segmentsOf } from '../../lab_ui/js/text/segments.js';
import { Clusters } from '../../lab_ui/js/text/clusters.js';
import { Text } from '../../lab_ui/vendor/codemirror.js';
import { tokensOf } from './helpers.js';

const NEXT = { type: 'next' };
const BACK = { type: 'back' };
const after = (state, ...actions) => actions.reduce(reduce, state);

/** Whole numbers below a limit, the same ones in every run. */
function randomFrom(seed) {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
}

/** Of a text without lines, before anything is pressed. */
const FIRST_STATE = { steps: [0], text: 0, shown: 0, isHiding: true, chosen: null };

test('each step uncovers a line, then the next text comes; steps back undo them', () => {
  const places = [];
  let state = { ...FIRST_STATE, steps: [2, 0, 1] };
  for (let n = 0; n < 8; n++) {
    places.push([state.text, state.shown]);
    state = reduce(state, NEXT);
  }
  const WALK = [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 0],
    [2, 0],
    [2, 1],
    [2, 1],
    [2, 1],
  ];
  assert.deepEqual(places, WALK);
  assert.deepEqual(
    [currentStep({ ...state, text: 0, shown: 2 }), currentStep({ ...state, text: 1, shown: 0 })],
    [1, 0],
    'the last line stays marked',
  );
});

test('while nothing is hidden, every step is a line', () => {
  const state = { ...FIRST_STATE, steps: [2, 2], isHiding: false };
  assert.deepEqual(after(state, NEXT).shown, 1);
  assert.deepEqual(after(state, NEXT, NEXT), { ...state, text: 1, shown: 0 });
  assert.deepEqual(after(state, NEXT, NEXT, BACK), { ...state, text: 0, shown: 1 });
});

test('covering all goes to the first line of the text and hides again', () => {
  const state = after({ ...FIRST_STATE, steps: [3] }, NEXT, NEXT, { type: 'toggle' }, { type: 'cover' });
  assert.deepEqual([state.shown, state.isHiding, isRevealed(state)], [0, true, false]);
});

test('a letter hides its tokenizer, and shows it again', () => {
  const ids = ['a', 'b', 'c'];
  const press = (state, id) => reduce(state, { type: 'hide', id, hidden: hiddenOf(state, ids) });
  const first = { ...FIRST_STATE, steps: [3] };
  assert.equal(hiddenOf(first, ids), 'b', 'the second is hidden at first');
  const third = press(first, 'c');
  assert.deepEqual([hiddenOf(third, ids), third.isHiding], ['c', true]);
  assert.equal(press(third, 'c').isHiding, false);
  assert.deepEqual([hiddenOf(third, ['a', 'b']), hiddenOf(third, ['a']), hiddenOf(third, [])], ['b', 'a', null]);
});

test('any sequence of actions keeps the state true, and steps on and back are inverse', () => {
  const random = randomFrom(7);
  for (let run = 0; run < 300; run++) {
    let state = { ...FIRST_STATE, steps: Array.from({ length: 1 + random(4) }, () => random(4)) };
    for (let n = 0; n < 60; n++) {
      const action = [
        NEXT,
        NEXT,
        BACK,
        { type: 'cover' },
        { type: 'toggle' },
        { type: 'hide', id: 'abc'[random(3)], hidden: 'abc'[random(3)] },
        { type: 'texts', steps: Array.from({ length: 1 + random(4) }, () => random(4)) },
      ][random(7)];
      state = reduce(state, action);
      const { steps, text, shown, isHiding } = state;
      assert.ok(text >= 0 && text < steps.length, JSON.stringify(state));
      assert.ok(shown >= 0 && shown <= Math.max(0, steps[text] - (isHiding ? 0 : 1)), JSON.stringify(state));
      assert.ok(currentStep(state) < Math.max(1, steps[text]));
      const onward = reduce(state, NEXT);
      if (onward !== state) assert.deepEqual(reduce(onward, BACK), state);
      const back = reduce(state, BACK);
      if (back !== state) assert.deepEqual(reduce(back, NEXT), state);
      const params = new URLSearchParams(paramsOf(state));
      assert.deepEqual(stateOf(params, steps, true), state, 'the address says all of it');
    }
  }
});

test('an address that says nonsense shows something', () => {
  const state = stateOf(new URLSearchParams('slide=99&shown=-4&guess=x'), [2, 3], true);
  assert.deepEqual(state, { steps: [2, 3], text: 1, shown: 0, isHiding: true, chosen: null });
  assert.equal(stateOf(new URLSearchParams('shown=99'), [2], true).shown, 2);
  assert.equal(stateOf(new URLSearchParams(), [2], false).isHiding, false, 'one tokenizer alone is not hidden');
});

test('keys of a clicker and of the letters lead to what they do', () => {
  const tokenizersOf = letters => [...letters].map(letter => ({ id: letter, name: letter, letter }));
  const pressed = (letters, key, shiftKey = false) => {
    let done = null;
    const act = name => detail => {
      done = detail ? `${name} ${detail}` : name;
    };
    const names = 'next back cover leave hide toggle fullScreen larger smaller palette list'.split(' ');
    const run = Object.fromEntries(names.map(name => [name, act(name)]));
    commandFor(presenterCommands(tokenizersOf(letters), run), { key, shiftKey }, false)?.run();
    return done;
  };
  for (const key of ['PageDown', 'ArrowRight', ' ', 'Enter']) assert.equal(pressed('AB', key), 'next');
  for (const key of ['PageUp', 'ArrowLeft', 'Backspace']) assert.equal(pressed('AB', key), 'back');
  const KEYS = ['.', 'Escape', 'h', 'f', '+', '-', 't', 'l', 'a', 'b', 'c'];
  const DONE = 'cover leave toggle fullScreen larger smaller palette list'.split(' ');
  assert.deepEqual(
    KEYS.map(key => pressed('AB', key)),
    [...DONE, 'hide A', 'hide B', null],
  );
  const all = 'ABCDEFGH';
  assert.deepEqual([pressed(all, 'f'), pressed(all, 'h')], ['hide F', 'hide H'], 'letters of tokenizers');
  for (const [key, done] of Object.entries({ F: 'fullScreen', H: 'toggle', P: 'leave' }))
    assert.equal(pressed(all, key, true), done);
});

const TEXT = 'ab\n\ncd ef\r\n  \n語g';
const DOC = Text.of(TEXT.split('\n'));

test('the counts of all lines add up to the tokens of the text, however it is divided', () => {
  const random = randomFrom(3);
  const bytes = new TextEncoder().encode(TEXT).length;
  for (let run = 0; run < 200; run++) {
    const ends = Array.from({ length: bytes }, (_, n) => n + 1).filter(end => end === bytes || random(2));
    const tokens = tokensOf(TEXT, ends, { before: 1, after: 1 });
    let sum = 0;
    for (let number = 1; number <= DOC.lines; number++) {
      const line = DOC.line(number);
      const counted = countInLine(tokens, line);
      const slow = ends.filter((_, n) => {
        const start = tokens.start16.at(n + 1);
        return start >= line.from && start <= line.to;
      });
      assert.equal(counted, slow.length);
      sum += counted;
    }
    assert.equal(sum, ends.length);
  }
});

test('a token over a line break counts where it starts', () => {
  const tokens = tokensOf('a\nb', [3]);
  const lines = [1, 2].map(number => countInLine(tokens, Text.of(['a', 'b']).line(number)));
  assert.deepEqual(lines, [1, 0]);
});

test('lines of white space are no steps', () => {
  assert.deepEqual(linesWithText(DOC), [1, 3, 5]);
  assert.equal(countLinesWithText(TEXT), 3);
  assert.deepEqual(linesWithText(Text.of([''])), []);
});

test('covered lanes give nothing away', () => {
  const text = 'one two\nsix ten';
  const lane = (id, ends) => ({
    id,
    letter: id.toUpperCase(),
    tokens: tokensOf(text, ends, { before: 1, after: 1 }),
    shade: () => 'd0',
    boundary: () => 'boundary-one',
  });
  const lanes = [lane('a', [3, 7, 8, 11, 15]), lane('b', [4, 8, 9, 12, 15])];
  assert.equal(coveredLanes(lanes, 'b', Infinity), lanes);
  const [other, hidden] = coveredLanes(lanes, 'b', 8);
  const shades = [1, 2, 3, 4, 5].map(i => [other.shade(i), other.boundary(i)].join(' '));
  assert.deepEqual(shades.slice(0, 3), Array(3).fill('d0 boundary-one'));
  assert.ok(
    shades.slice(3).every(words => /^g[01] boundary-all$/.test(words)),
    String(shades),
  );
  const drawn = segmentsOf(hidden.tokens, 0, text.length, new Clusters(text, 0));
  assert.deepEqual(
    drawn.filter(({ owners }) => owners.length).map(({ from, to }) => [from, to]),
    [
      [0, 4],
      [4, 8],
    ],
  );
  assert.equal(hidden.tokens.placedCount, 2);
});

test('the built-in texts have six short lines each', () => {
  for (const text of BUILT_IN) {
    assert.equal(countLinesWithText(text), 6);
    for (const line of text.split('\n')) assert.ok([...line].length <= 58, line);
  }
  assert.equal(problemOf(BUILT_IN), '');
  assert.match(problemOf(['語'.repeat(MOST_BYTES / 3)]), /The list is full/);
  // The lab keeps no half of a character, and with it none of the other settings.
  assert.match(problemOf(['a\ud83d']), /half of a character/);
  assert.equal(problemOf(['😀']), '');
});

test('the list can be put in another order', () => {
  assert.equal(nameOf('\n  first line \nsecond'), 'first line');
  assert.equal(nameOf('👩‍🔬'.repeat(60)).at(-1), '…');
});

test('six lines with two lanes each fit a window of every usual size', () => {
  for (const [width, height] of [
    [1280, 720],
    [1440, 900],
    [1920, 1080],
    [1024, 768],
  ]) {
    const times = windowScale({ width, height });
    const rows = presentedRows(2, times);
    assert.ok(6 * rows.rowHeight <= height - (60 + 40 + 8) * times, `${width}x${height}`);
    assert.ok(rows.glyph + rows.first + rows.step + rows.height <= rows.rowHeight, 'lanes stay in their row');
  }
  const many = presentedRows(8, 1);
  assert.ok(many.glyph + many.first + 7 * many.step + many.height <= many.rowHeight);
});

test('a screen that can be presented is; on the others it is the first that can', () => {
  const screens = ['inspect', 'compare', 'learn'].map((name, n) => /** @type {any} */ ({ name, isPresentable: n > 0 }));
  const asked = [];
  const go = (...address) => asked.push(address);
  const paramsOf = name => new URLSearchParams(name === 'learn' ? { lesson: 'utf8' } : {});
  for (const screen of ['inspect', 'compare', 'learn', ''])
    present(/** @type {any} */ ({ screen, go, paramsOf }), screens);
  const itself = { present: '1' };
  assert.deepEqual(asked, [
    ['compare', { ...itself, from: 'inspect' }],
    ['compare', itself],
    ['learn', { lesson: 'utf8', ...itself }],
    ['compare', itself],
  ]);
});
