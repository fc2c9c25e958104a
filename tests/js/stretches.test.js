/** Rows of a compared text, and in how many tokenizers a boundary is: against the definitions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classAt, classOf, classesFor, countClasses } from '../../lab_ui/js/screens/compare/agreement.js';
import { Divergences, NO_DIVERGENCES } from '../../lab_ui/js/text/divergences.js';
import { Stretches } from '../../lab_ui/js/screens/compare/stretches.js';
import { tokensOf } from './helpers.js';

const divergences = spans =>
  new Divergences(
    {
      'divergences/start_utf8': Uint32Array.from(spans, ([from]) => from),
      'divergences/end_utf8': Uint32Array.from(spans, ([, to]) => to),
      'divergences/start_utf16': Uint32Array.from(spans, ([from]) => from),
      'divergences/end_utf16': Uint32Array.from(spans, ([, to]) => to),
      'divergences/kind': new Uint32Array(spans.length),
      'divergences/counts': new Uint32Array(spans.length * 2),
    },
    ['words'],
    2,
  );

const rowsOf = (spans, length) => {
  const stretches = new Stretches(divergences(spans), length, length);
  return Array.from({ length: stretches.length }, (_, row) => {
    const { number, from8, to8 } = stretches.at(row);
    return [number, from8, to8];
  });
};

for (const [name, spans, length, rows] of [
  ['an empty text', [], 0, []],
  ['one on which all agree', [], 9, [[-1, 0, 9]]],
  ['one on which they differ', [[0, 9]], 9, [[0, 0, 9]]],
  [
    'between',
    [
      [2, 4],
      [6, 7],
    ],
    9,
    [
      [-1, 0, 2],
      [0, 2, 4],
      [-1, 4, 6],
      [1, 6, 7],
      [-1, 7, 9],
    ],
  ],
  [
    'side by side',
    [
      [0, 4],
      [4, 7],
    ],
    9,
    [
      [0, 0, 4],
      [1, 4, 7],
      [-1, 7, 9],
    ],
  ],
  [
    'to the end',
    [[5, 9]],
    9,
    [
      [-1, 0, 5],
      [0, 5, 9],
    ],
  ],
])
  test(`rows of a text: ${name}`, () => assert.deepEqual(rowsOf(spans, length), rows));

test('the row of a place and of a divergence', () => {
  const stretches = new Stretches(
    divergences([
      [2, 4],
      [4, 5],
      [7, 9],
    ]),
    12,
    12,
  );
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6, 7, 9, 11].map(pos => stretches.rowAt(pos)),
    [0, 0, 1, 1, 2, 3, 3, 4, 5, 5],
  );
  assert.deepEqual(
    [-1, 0, 1, 2].map(number => stretches.rowOf(number)),
    [-1, 1, 2, 4],
  );
  assert.equal(new Stretches(NO_DIVERGENCES, 0, 0).length, 0);
});

test('every token is in one row', () => {
  const tokens = tokensOf('abcdefghijkl', [2, 3, 4, 8, 12], { before: 1 });
  const stretches = new Stretches(
    divergences([
      [2, 4],
      [8, 9],
    ]),
    12,
    12,
  );
  let next = 0;
  for (let row = 0; row < stretches.length; row++) {
    const { first, end } = stretches.tokensIn(tokens, stretches.at(row));
    assert.equal(first, next);
    next = end;
  }
  assert.equal(next, tokens.placedCount);
});

test('classes of agreement', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 7, 8].map(n => classOf(n, 8)),
    ['one', 'some', 'some', 'some', 'most', 'most', 'most', 'all'],
  );
  assert.deepEqual(
    [1, 2, 3].map(n => classOf(n, 3)),
    ['one', 'most', 'all'],
  );
  assert.deepEqual(classesFor(2), ['all', 'one']);
  assert.deepEqual(classesFor(4), ['all', 'most', 'some', 'one']);
  assert.equal(classOf(1, 1), 'all');
});

/** A boundary next to or inside white space counts at the start of it: written as the rule says it. */
function places(text, tokens, ignore) {
  const bytes = [];
  const encoder = new TextEncoder();
  for (const character of text)
    for (let n = encoder.encode(character).length; n; n--) bytes.push(/\p{White_Space}/u.test(character));
  const moved = at => {
    let place = at;
    if (ignore) while (place > 0 && bytes[place - 1]) place--;
    return place;
  };
  const found = new Set([moved(0), moved(bytes.length)]);
  for (let k = 0; k < tokens.placedCount; k++)
    for (const ends of [tokens.start8, tokens.end8]) found.add(moved(ends.at(tokens.placed(k))));
  return { found, moved, length: bytes.length };
}

/** The same numbers at every run. */
function* random(seed) {
  for (let x = seed; ; ) {
    x = (Math.imul(x, 1103515245) + 12345) >>> 0;
    yield x / 2 ** 32;
  }
}

test('boundaries are counted and classed as the rule says', async () => {
  const draw = random(7);
  const next = () => /** @type {number} */ (draw.next().value);
  const letters = ['a', ' ', '日', '\u3000', '👩', '\n', 'é', 'b', '\ufeff', '\u0085'];
  for (let round = 0; round < 300; round++) {
    const text = Array.from(
      { length: 1 + Math.floor(next() * 12) },
      () => letters[Math.floor(next() * letters.length)],
    ).join('');
    const size = new TextEncoder().encode(text).length;
    const ignore = next() < 0.6;
    const lanes = Array.from({ length: 2 + Math.floor(next() * 3) }, () =>
      tokensOf(text, [...Array.from({ length: size - 1 }, (_, n) => n + 1).filter(() => next() < 0.4), size], {
        before: 1,
        after: 1,
      }),
    );
    const sets = lanes.map(tokens => places(text, tokens, ignore));
    const counts = { all: 0, most: 0, some: 0, one: 0 };
    const having = place => sets.filter(({ found }) => found.has(place)).length;
    for (let place = 1; place < size; place++) if (having(place)) counts[classOf(having(place), lanes.length)]++;
    assert.deepEqual(await countClasses(lanes, text, ignore), counts, JSON.stringify(text));
    lanes.forEach((tokens, lane) => {
      for (let k = 0; k < tokens.placedCount; k++) {
        const i = tokens.placed(k);
        assert.equal(
          classAt(lanes, lane, i, text, ignore),
          classOf(having(sets[lane].moved(tokens.start8.at(i))), lanes.length),
          `${JSON.stringify(text)} token ${k} of ${lane}`,
        );
      }
    });
  }
});

test('boundaries of a long text are counted in pieces, and given up when the tokens are edited', async () => {
  const text = 'ab '.repeat(100_000);
  const tokens = tokensOf('ab ', [2, 3]);
  for (const name of ['ids', 'start8', 'end8', 'start16', 'end16', 'flags'])
    tokens[name] = { at: i => (name === 'flags' ? 0 : name.startsWith('end') ? i + 1 : i), length: text.length };
  Object.defineProperty(tokens, 'placedCount', { value: text.length });
  let turns = 0;
  const yielder = {
    maybeYield: async () => {
      turns++;
    },
  };
  assert.deepEqual(await countClasses([tokens, tokens], text, false, yielder), {
    all: text.length - 1,
    most: 0,
    some: 0,
    one: 0,
  });
  const pieces = turns;
  assert.ok(pieces >= (4 * text.length) / 20_000, `${pieces} pieces for the text, two tokenizers and the boundaries`);
  turns = 0;
  assert.equal(
    await countClasses([tokens, tokens], text, false, {
      maybeYield: async () => {
        if (++turns === Math.floor(pieces / 2)) tokens.edits++;
      },
    }),
    null,
  );
  assert.ok(turns < pieces);
});
