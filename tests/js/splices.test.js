import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Divergences } from '../../lab_ui/js/text/divergences.js';
import { GapArray } from '../../lab_ui/js/text/gap_array.js';
import { TokenSpans } from '../../lab_ui/js/text/token_spans.js';
import { scaled } from './scale.js';

const WIRE = {
  ids: Uint32Array,
  start_utf8: Uint32Array,
  end_utf8: Uint32Array,
  start_utf16: Uint32Array,
  end_utf16: Uint32Array,
  flags: Uint8Array,
};
const TEMPLATE = 2;

/** A row per token: id, start and end, flags; both units are the same here. */
function arraysOf(rows, prefix = '') {
  const columns = {
    ids: rows.map(row => row[0]),
    start_utf8: rows.map(row => row[1]),
    end_utf8: rows.map(row => row[2]),
    start_utf16: rows.map(row => row[1]),
    end_utf16: rows.map(row => row[2]),
    flags: rows.map(row => row[3]),
  };
  return Object.fromEntries(Object.entries(WIRE).map(([name, Type]) => [prefix + name, Type.from(columns[name])]));
}

const listsOf = tokens => [tokens.ids, tokens.start8, tokens.end8, tokens.flags, tokens.start16, tokens.end16];
const rowsOf = tokens => Array.from({ length: tokens.length }, (_, i) => listsOf(tokens).map(list => list.at(i)));

/** Compares number by number: `deepEqual` of all rows takes four times as long. */
function assertRows(tokens, rows) {
  assert.equal(tokens.length, rows.length);
  const lists = listsOf(tokens);
  const columns = [0, 1, 2, 3, 1, 2];
  const wrong = rows.findIndex((row, i) => lists.some((list, n) => list.at(i) !== row[columns[n]]));
  if (wrong >= 0)
    assert.deepEqual(
      lists.map(list => list.at(wrong)),
      columns.map(column => rows[wrong][column]),
      `token ${wrong}`,
    );
}

const moved = ([id, start, end, flags], by) => [id, start + by, end + by, flags];

test('splices of tokens equal splices of a list', () => {
  let seed = 9;
  const below = bound => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return Math.floor(seed / 65536) % bound;
  };
  for (const around of [[], [[101, 0, 0, TEMPLATE]]]) {
    let rows = Array.from({ length: 50 }, (_, n) => [n, 2 * n, 2 * n + 2, 0]);
    const tokens = new TokenSpans(arraysOf([...around, ...rows, ...around]));
    for (let round = 0; round < scaled(100); round++) {
      // Now and then more than there is spare room for.
      const first = below(rows.length + 1);
      const removed = below(Math.min(4, rows.length - first) + 1);
      const came = (round + 1) % (40 + scaled(10)) === 0 ? 6000 : below(4);
      const at = first ? rows[first - 1][2] : 0;
      const insert = Array.from({ length: came }, (_, n) => [1000 + n, at + n, at + n + 1, 8]);
      const shift = came - (removed ? rows[first + removed - 1][2] - at : 0);
      const behind = rows.slice(first + removed).map(row => moved(row, shift));
      tokens.splice({ first, removed }, arraysOf(insert, '3/'), '3/', { shift8: shift, shift16: shift });
      rows = [...rows.slice(0, first), ...insert, ...behind];
      assertRows(tokens, [...around, ...rows, ...around]);
      assert.equal(tokens.placedCount, rows.length);
      assert.equal(tokens.leading.length + tokens.trailing.length, 2 * around.length);
    }
  }
});

test('a list with a gap equals a list without', () => {
  let seed = 4;
  const below = bound => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return Math.floor(seed / 65536) % bound;
  };
  for (const Type of [Uint32Array, Uint8Array]) {
    let plain = Array.from({ length: 60 }, (_, n) => n);
    const list = new GapArray(Type.from(plain));
    const least = Type === Uint8Array ? 0 : -3;
    for (let round = 0; round < scaled(100); round++) {
      const first = below(plain.length + 1);
      const removed = below(Math.min(5, plain.length - first) + 1);
      const came = (round + 1) % (80 + scaled(10)) === 0 ? 5000 : below(6);
      const insert = Array.from({ length: came }, () => 1500 + below(9)).map(n => (Type === Uint8Array ? n % 200 : n));
      const by = Type === Uint8Array ? 0 : below(7) + least;
      const still = Math.min(below(3), plain.length - first - removed);
      list.splice(first, removed, Type.from(insert), by, still);
      const behind = plain.slice(first + removed);
      const moving = behind.length - still;
      plain = [
        ...plain.slice(0, first),
        ...insert,
        ...behind.map((value, n) => (n < moving ? (value + by) >>> 0 : value)),
      ];
      assert.equal(list.length, plain.length);
      assert.deepEqual(
        Array.from({ length: plain.length + 2 }, (_, n) => list.at(n - 1)),
        [undefined, ...plain, undefined],
      );
      if (round % 7 === 0) assert.deepEqual([...list.all()], plain);
    }
  }
});

test('all of a list stays as it was when the list is edited', () => {
  const list = new GapArray(Uint32Array.of(1, 2, 3, 4));
  const before = list.all();
  list.splice(1, 1, Uint32Array.of(9), 5);
  const between = list.all();
  list.splice(0, 2, Uint32Array.of(7, 7, 7), 1);
  assert.deepEqual(
    [[...before], [...between], [...list.all()]],
    [
      [1, 2, 3, 4],
      [1, 9, 8, 9],
      [7, 7, 7, 9, 10],
    ],
  );
});

test('the arrays of an answer are never written to', () => {
  const arrays = arraysOf([
    [1, 0, 1, 0],
    [2, 1, 2, 0],
  ]);
  const tokens = new TokenSpans(arrays);
  tokens.splice({ first: 0, removed: 1 }, arraysOf([[9, 0, 3, 0]]), '', { shift8: 2, shift16: 2 });
  assert.deepEqual([...arrays.ids, ...arrays.start_utf8], [1, 2, 0, 1]);
  assert.deepEqual(rowsOf(tokens), [
    [9, 0, 3, 0, 0, 3],
    [2, 3, 4, 0, 3, 4],
  ]);
});

const of = (starts, kinds, counts) => ({
  'divergences/start_utf8': Uint32Array.from(starts),
  'divergences/end_utf8': Uint32Array.from(starts, at => at + 1),
  'divergences/start_utf16': Uint32Array.from(starts),
  'divergences/end_utf16': Uint32Array.from(starts, at => at + 1),
  'divergences/kind': Uint8Array.from(kinds),
  'divergences/counts': Uint32Array.from(counts),
});

test('divergences of a range are replaced, those behind move', () => {
  const all = new Divergences(of([2, 5, 9, 20], [0, 1, 2, 3], [1, 1, 2, 2, 3, 3, 4, 4]), ['a', 'b', 'c', 'd'], 2);
  all.splice([5, 20], of([6], [0], [7, 8]), { shift8: 3, shift16: 3 });
  assert.deepEqual([...all.start16.all()], [2, 6, 23]);
  assert.deepEqual([...all.end8.all()], [3, 7, 24]);
  assert.deepEqual([...all.kind.all()], [0, 0, 3]);
  assert.deepEqual(
    [0, 1, 2].map(n => [all.count(n, 0), all.count(n, 1)]),
    [
      [1, 1],
      [7, 8],
      [4, 4],
    ],
  );
  assert.ok(all.touches(6, 7) && !all.touches(9, 10));
});

test('divergences by kind, and those of a part of a text', () => {
  const all = new Divergences(of([2, 5, 9, 20], [0, 1, 0, 3], [1, 1, 2, 2, 3, 3, 4, 4]), ['a', 'b', 'c', 'd'], 2);
  assert.deepEqual(
    [-1, 0, 2].map(kind => [...all.numbersOf(kind)]),
    [[0, 1, 2, 3], [0, 2], []],
  );
  const moved = new Divergences(of([2, 5], [0, 1], [1, 1, 2, 2]), ['a', 'b'], 2, { utf8: 100, utf16: 50 });
  assert.deepEqual(
    [[...moved.start8.all()], [...moved.end16.all()]],
    [
      [102, 105],
      [53, 56],
    ],
  );
});

test('an edit moves none of the divergences that it does not touch', () => {
  const many = 100_000;
  const all = new Divergences(
    of(
      Array.from({ length: many }, (_, n) => 10 * n),
      new Array(many).fill(0),
      new Array(2 * many).fill(1),
    ),
    ['a'],
    2,
  );
  const edit = at => all.splice([at, at + 10], of([at + 1], [0], [7, 8]), { shift8: 1, shift16: 1 });
  edit(500_000); // makes room, once
  let written = 0;
  const counted = ['set', 'copyWithin', 'slice', 'map', 'fill'];
  const was = counted.map(name => Object.getPrototypeOf(Uint32Array.prototype)[name]);
  counted.forEach((name, n) => {
    Object.getPrototypeOf(Uint32Array.prototype)[name] = function (...values) {
      written +=
        name === 'set'
          ? values[0].length
          : name === 'copyWithin'
            ? Math.abs((values[2] ?? this.length) - values[1])
            : this.length;
      return was[n].apply(this, values);
    };
  });
  try {
    for (let n = 0; n < 10; n++) edit(500_021 + 11 * n);
  } finally {
    counted.forEach((name, n) => {
      Object.getPrototypeOf(Uint32Array.prototype)[name] = was[n];
    });
  }
  assert.ok(written > 0 && written < 1000, `${written} entries were written`);
  assert.equal(all.start16.at(all.length - 1), 10 * (many - 1) + 11);
});
