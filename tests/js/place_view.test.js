/** Place the boundaries: a cell is a letter as readers count them, and what is inside of one is no miss. */
import './page.js';
import assert from 'node:assert/strict';
import test from 'node:test';
import { Figure } from '../../lab_ui/js/lessons/figures/figure.js';
import { lettersOf } from '../../lab_ui/js/lessons/names.js';
import { linesOf, PlaceView } from '../../lab_ui/js/lessons/place_view.js';

const FAMILY = '👨‍👩‍👧';

test('letters are whole, with their places in bytes', () => {
  assert.deepEqual(lettersOf(`a${FAMILY}é`), [
    { text: 'a', from: 0, to: 1 },
    { text: FAMILY, from: 1, to: 19 },
    { text: 'é', from: 19, to: 21 },
  ]);
  assert.deepEqual(
    lettersOf('नमस्ते e\u0301').map(({ text }) => text),
    ['न', 'म', 'स्ते', ' ', 'e\u0301'],
  );
  assert.deepEqual(lettersOf(''), []);
});

test('one press is between two letters, and a boundary inside of one is shown and is no miss', () => {
  const view = new PlaceView();
  document.body.replaceChildren(view);
  view.text = `${FAMILY}ab`;
  const choices = () => [...view.querySelectorAll('[data-choice]')].map(({ dataset }) => dataset.choice);
  assert.deepEqual(choices(), ['18', '19']);
  const tokens = [
    [0, 4],
    [4, 7],
    [7, 18],
    [18, 20],
  ];
  const place = { at: 18, until: 18, guess: null, mark: 'missing', number: 1, kind: null, reason: null };
  const marks = { tokens, places: [place], found: 0, missing: 1, extra: 0, f1: 0, inside_letters: 2 };
  view.show(/** @type {any} */ (marks));
  assert.equal(view.querySelectorAll('.cut.inside').length, 2);
  assert.equal(view.querySelectorAll('.cut.missing').length, 1);
  assert.match(view.querySelector('.place-insides').textContent, /these 2 boundaries lie inside a letter/);
  assert.match(view.querySelector('.lesson-sentence').textContent, / 2 more lie inside a letter and do not count\.$/);
  assert.equal(view.querySelectorAll('.place-reasons li').length, 1);
  view.text = 'ab';
  assert.equal(view.querySelector('.place-insides').hidden, true);
});

test('lines have whole words, and a word that is longer than a line goes on in the next one', () => {
  const lines = (text, most) => linesOf(lettersOf(text), most).map(line => line.map(({ text }) => text).join(''));
  assert.deepEqual(lines('one two three', 8), ['one two', ' three'], 'a space goes with the word behind it');
  assert.deepEqual(lines('one two three', 7), ['one two', ' three']);
  assert.deepEqual(lines('one two', 8), ['one two']);
  assert.deepEqual(lines('a unaffordable b', 8), ['a', ' unaffor', 'dable b']);
  assert.deepEqual(lines('', 8), []);
});

test('a figure on a wide desk is drawn larger, and not larger than half again', () => {
  const figure = new Figure({ least: 360, margin: 0, choose() {}, fallback: () => document.body });
  const shown = (/** @type {number} */ width) => {
    Object.defineProperty(figure.element, 'clientWidth', { value: width, configurable: true });
    const { room } = figure.draw(sheet => sheet.box({ x: 0, y: 0, width: 100, height: 40 }));
    return { room, width: Number(figure.picture.getAttribute('width')) };
  };
  assert.deepEqual(shown(700), { room: 692, width: 100 });
  assert.deepEqual(shown(950), { room: 752, width: 125 });
  assert.deepEqual(shown(3008), { room: 3008 / 1.5 - 8, width: 150 });
});
