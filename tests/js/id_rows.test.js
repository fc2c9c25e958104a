/** Ids under a row of tokens: none on top of another, and none missing without a sign. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { dotsShape, placeIds } from '../../lab_ui/js/editor/id_rows.js';

const CHARACTER = 6.3;
const widthOf = label => label.length * CHARACTER;
/** Tokens side by side. @param {[number, string][]} list widths and ids */
const sideBySide = list => {
  let at = 0;
  return list.map(([width, label]) => {
    at += width;
    return { middle: at - width / 2, label };
  });
};

const CASES = [
  ['no tokens', [], []],
  [
    'room for all in the first row',
    [
      [60, '19204'],
      [84, '3989'],
    ],
    [0, 0],
  ],
  [
    'one that goes to the second row',
    [
      [36, '3475'],
      [12, '1005'],
      [60, '8699'],
    ],
    [0, 1, 0],
  ],
  [
    'one that has room in neither',
    [
      [36, '3475'],
      [12, '1005'],
      [12, '1056'],
      [12, '7'],
      [60, '8699'],
    ],
    [0, 1, null, 0, 0],
  ],
  [
    'narrow tokens by turns',
    [
      [20, '1879'],
      [20, '1755'],
      [20, '1671'],
      [20, '[UNK]'],
    ],
    [0, 1, 0, 1],
  ],
];
for (const [name, list, rows] of CASES) test(name, () => assert.deepEqual(placeIds(sideBySide(list)), rows));

test('from right to left the first token of the text comes first, too', () => {
  const ltr = sideBySide([
    [36, '3475'],
    [12, '1005'],
    [12, '1056'],
    [60, '8699'],
  ]);
  const rtl = ltr.map(({ middle, label }) => ({ middle: -middle, label }));
  assert.deepEqual(placeIds(rtl), placeIds(ltr));
});

test('larger ids need more room', () => {
  const two = sideBySide([
    [34, '1879'],
    [34, '1755'],
  ]);
  assert.deepEqual(placeIds(two), [0, 0]);
  assert.deepEqual(placeIds(two, 1.8), [0, 1]);
});

test('no id touches another, in any order and any width, and a line to the second row crosses none', () => {
  let seed = 7;
  const random = n => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % n;
  };
  for (let round = 0; round < 200; round++) {
    const ids = sideBySide(Array.from({ length: random(60) }, () => [2 + random(50), String(random(200_000))]));
    // stretches against the direction of the line, as Latin in Arabic
    const from = random(ids.length + 1);
    ids.splice(from, 10, ...ids.slice(from, from + 10).reverse());
    const rows = placeIds(ids);
    const box = n => [ids[n].middle - widthOf(ids[n].label) / 2, ids[n].middle + widthOf(ids[n].label) / 2];
    rows.forEach((row, n) => {
      for (let m = 0; m < n; m++) {
        if (row !== null && rows[m] === row) {
          const [[a, b], [c, d]] = [box(n), box(m)];
          assert.ok(b + 4.9 <= c || d + 4.9 <= a, `${ids[n].label} and ${ids[m].label}`);
        }
        for (const [one, other] of [
          [n, m],
          [m, n],
        ])
          if (rows[one] === 0 && rows[other] === 1) {
            const [a, b] = box(one);
            assert.ok(ids[other].middle <= a || ids[other].middle >= b, 'a line through an id');
          }
      }
    });
    if (ids.length) assert.equal(rows[0], 0, 'the first has all the room');
  }
});

test('a token has as many dots as it is wide for, and one at least', () => {
  const dots = width => dotsShape(100, width, 30, 1).match(/M/g)?.length;
  assert.deepEqual([2, 6.5, 10, 40].map(dots), [1, 2, 3, 3]);
});
