import assert from 'node:assert/strict';
import test from 'node:test';
import { fitted, spell, widthOf } from '../../lab_ui/js/editor/lane_spelling.js';
import { fullSpellingOf, spellingOf } from '../../lab_ui/js/text/spelling.js';

/** A face of 12 pixels whose Latin letters are 7 wide; what it has no width for is measured, and counted here. */
function face({ advance = 7 } = {}) {
  const measured = [];
  return { size: 12, advance, measured, measure: text => measured.push(text) && 10 * [...text].length };
}

const piece = (token, width, more = {}) => ({
  token,
  width,
  newline: false,
  stripe: false,
  unknown: false,
  ...more,
});

test('a token is spelled so that all of it is seen', () => {
  const cases = [
    ['##ization', '', '##ization'],
    [' unaff', '', '·unaff'],
    ['\n\n', '', '↵↵'],
    ['\ta', '', '→a'],
    ['\u200b', '', 'ZWSP'],
    [null, 'e381aee5', 'の'],
    [null, 'e69d', ''],
    [null, 'b1', ''],
  ];
  for (const [text, bytes, words] of cases) assert.equal(spellingOf({ text, bytes }), words);
});

test('parts of characters are spelled as bytes beside whole ones', () => {
  const words = bytes => fullSpellingOf({ text: null, bytes });
  assert.equal(words('e381aee5'), 'の E5');
  assert.equal(words('e69d'), 'E6 9D');
  assert.equal(words('b1'), 'B1');
  assert.equal(words('9d20e3'), '9D · E3');
  assert.equal(fullSpellingOf({ text: ' a', bytes: '2061' }), '·a');
});

test('wide characters are as wide as the face is high, Latin ones as its advance', () => {
  const latin = face();
  assert.equal(widthOf('·unaff', latin), 42);
  assert.equal(widthOf('東京', latin), 24);
  assert.equal(widthOf('ー：a', latin), 31);
  assert.deepEqual(latin.measured, []);
  assert.equal(widthOf('नमस्ते', latin), 60, 'what stacks is measured as a whole');
  assert.equal(widthOf('abc', face({ advance: 0 })), 30, 'a face without one advance is measured');
});

test('a letter of a script that joins is joined where it does not fit alone', () => {
  const arabic = { size: 12, advance: 7, measure: text => (text.includes('\u200d') ? 5 : 12) };
  const at = (words, width) => fitted(words, width, arabic);
  assert.equal(at('\u0643', 15).text, '\u0643');
  const joined = at('##\u0643', 5);
  assert.deepEqual([joined.text, joined.mark, joined.width, joined.scale], ['\u200d\u0643\u200d', 0, 5, 1]);
  assert.equal(at('\u0643', 2), null);
  assert.equal(at('k', 5), null);
});

test('a label fits, is condensed, loses the width of its mark, or is left out', () => {
  const at = (words, width) => fitted(words, width, face());
  assert.deepEqual([at('token', 40).scale, at('token', 38).scale], [1, 1]);
  assert.equal(at('token', 31).scale, 28 / 35);
  assert.equal(at('token', 30), null);
  const narrow = at('##ff', 22);
  assert.equal(narrow.markScale, 0.6);
  assert.ok(Math.abs(narrow.width - 22.4) < 1e-9 && narrow.scale < 1);
  assert.equal(at('##ff', 40).markScale, 1);
  assert.equal(at('##s', 12).text, 's', 'without its mark rather than blank');
  assert.equal(at('##ization', 12), null);
  assert.equal(at('·ff', 19).text, 'ff', 'without its space rather than blank');
  assert.equal(at('', 100), null);
  assert.equal(at('a'.repeat(65), 5000), null);
});

test('the mark is what stands for the text before, and never all of a label', () => {
  const mark = words => fitted(words, 500, face()).mark;
  assert.deepEqual(['##a', '·a', '··a', '##', '·', '···', '#a'].map(mark), [2, 1, 2, 0, 0, 0, 0]);
});

test('a combining mark stands on a circle', () => {
  assert.equal(fitted('##\u093e', 100, face()).text, '##◌\u093e');
  assert.equal(fitted('\u0301', 100, face()).text, '◌\u0301');
});

test('a token is written once, in its widest piece that is no part of a character', () => {
  const pieces = [piece(4, 20), piece(4, 30), piece(5, 25, { stripe: true }), piece(5, 20)];
  assert.equal(
    spell(pieces, token => (token === 4 ? 'abc' : 'の'), face()),
    true,
  );
  assert.deepEqual(
    pieces.map(({ spelled }) => spelled?.text ?? null),
    [null, 'abc', null, 'の'],
  );
});

test('a character is written over its stripes if one of them has no room for its token', () => {
  const words = ['▁', 'T', ''];
  const stripesOf = (width, tokens) => {
    const shared = { text: 'T', x: 100, width: width * tokens.length };
    const pieces = tokens.map(token => piece(token, width, { stripe: true, shared }));
    spell(pieces, token => words[token], face());
    return pieces.map(({ spelled, isOver }) => [spelled?.text ?? null, isOver]);
  };
  assert.deepEqual(
    stripesOf(6, [0, 1]),
    [
      ['T', true],
      [null, false],
    ],
    'no stripe has room',
  );
  assert.deepEqual(
    stripesOf(20, [0, 2]),
    [
      ['T', true],
      [null, false],
    ],
    'a part of a character has no spelling',
  );
  assert.deepEqual(stripesOf(20, [0, 1]), [
    ['▁', false],
    ['T', false],
  ]);
  assert.deepEqual(
    stripesOf(1, [0, 1]),
    [
      [null, false],
      [null, false],
    ],
    'the character has no room, either',
  );
});

test('a line break is written in its own block alone', () => {
  const pieces = [piece(1, 30), piece(1, 10, { newline: true }), piece(2, 10, { newline: true })];
  assert.equal(
    spell(pieces, token => (token === 1 ? 'a↵' : '↵↵'), face()),
    true,
  );
  assert.deepEqual(
    pieces.map(({ spelled }) => [spelled.text, spelled.kind]),
    [
      ['a', 'spelled'],
      ['↵', 'break'],
      ['↵', 'break'],
    ],
  );
});

test('an unknown token has its name, without brackets where there is little room', () => {
  const labels = [40, 20, 9].map(width => {
    const pieces = [piece(1, width, { unknown: true })];
    spell(pieces, () => '[UNK]', face());
    return pieces[0].spelled?.text ?? null;
  });
  assert.deepEqual(labels, ['[UNK]', 'UNK', null]);
});

test('a spelling that is on its way is asked for once more', () => {
  const pieces = [piece(1, 40)];
  assert.equal(
    spell(pieces, () => null, face()),
    false,
  );
  assert.equal(pieces[0].spelled, null);
});
