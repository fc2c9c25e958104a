import assert from 'node:assert/strict';
import test from 'node:test';
import { Clusters, shortened } from '../../lab_ui/js/text/clusters.js';
import { segmentsOf } from '../../lab_ui/js/text/segments.js';
import { tokensOf } from './helpers.js';

const cut = (text, tokens, changes) =>
  segmentsOf(tokens, 0, text.length, new Clusters(text), changes).map(({ from, to, owners }) => [
    text.slice(from, to),
    ...owners,
  ]);

const CASES = [
  [
    'whole tokens',
    'hello world',
    [5, 11],
    [
      ['hello', 0],
      [' world', 1],
    ],
  ],
  [
    'a character in two tokens',
    'a語b',
    [1, 3, 4, 5],
    [
      ['a', 0],
      ['語', 1, 2],
      ['b', 3],
    ],
  ],
  ['a character in three tokens', '語', [1, 2, 3], [['語', 0, 1, 2]]],
  [
    'a token with parts of two characters',
    '日本',
    [2, 4, 6],
    [
      ['日', 0, 1],
      ['本', 1, 2],
    ],
  ],
  [
    'whole characters and a part of one more',
    'ab語',
    [3, 5],
    [
      ['ab', 0],
      ['語', 0, 1],
    ],
  ],
  [
    'a base and its accent in two tokens are one glyph',
    'xe\u0301y',
    [1, 2, 4, 5],
    [
      ['x', 0],
      ['e\u0301', 1, 2],
      ['y', 3],
    ],
  ],
  ['a flag', '🇯🇵', [4, 8], [['🇯🇵', 0, 1]]],
  [
    'an emoji family',
    '👩‍🔬!',
    [3, 4, 7, 11, 12],
    [
      ['👩‍🔬', 0, 1, 2, 3],
      ['!', 4],
    ],
  ],
];
for (const [name, text, cuts, expected] of CASES)
  test(name, () => assert.deepEqual(cut(text, tokensOf(text, cuts)), expected));

test('segments follow each other and cover the text', () => {
  const text = 'naïve 日本語 👩‍🔬 e\u0301\u0302 नमस्ते';
  const bytes = new TextEncoder().encode(text).length;
  for (const step of [1, 2, 3, 5, 7]) {
    const cuts = [];
    for (let at = step; at < bytes; at += step) cuts.push(at);
    const segments = segmentsOf(tokensOf(text, [...cuts, bytes]), 0, text.length, new Clusters(text));
    assert.equal(segments[0].from, 0);
    assert.equal(segments.at(-1).to, text.length);
    segments.slice(1).forEach((segment, n) => assert.equal(segment.from, segments[n].to));
    const owners = new Set(segments.flatMap(segment => segment.owners));
    assert.equal(owners.size, cuts.length + 1, 'every token is somewhere');
  }
});

test('text in no token has no owner', () => {
  const tokens = tokensOf('one two', [3, 7]);
  tokens.start16.splice(1, 1, Uint32Array.of(4));
  assert.deepEqual(cut('one two', tokens), [['one', 0], [' '], ['two', 1]]);
});

test('text after the last token has no owner', () =>
  assert.deepEqual(cut('one  ', tokensOf('one', [3])), [['one', 0], ['  ']]));

test('only the stretch asked for', () => {
  const text = 'aa bb cc dd';
  const tokens = tokensOf(text, [2, 5, 8, 11]);
  assert.deepEqual(
    segmentsOf(tokens, 4, 7, new Clusters(text)).map(({ owners }) => owners[0]),
    [1, 2],
  );
});

test('old tokens move along with an edit, and what was typed belongs to none', () => {
  // "hello world" was encoded; then "XY" was typed before "world".
  const tokens = tokensOf('hello world', [5, 11]);
  const now = 'hello XYworld';
  const map = (pos, side) => (pos < 6 || (pos === 6 && side < 0) ? pos : pos + 2);
  const unmap = pos => (pos <= 6 ? pos : Math.max(6, pos - 2));
  assert.deepEqual(
    cut(now, tokens, { map, unmap }),
    [
      ['hello', 0],
      [' XYworld', 1],
    ],
    'typed inside a token: it grows',
  );
  const atEdge = (pos, side) => (pos < 5 || (pos === 5 && side < 0) ? pos : pos + 2);
  assert.deepEqual(
    cut('helloXY world', tokens, { map: atEdge, unmap: pos => (pos <= 5 ? pos : Math.max(5, pos - 2)) }),
    [
      ['hello', 0],
      [' world', 1],
    ],
    'typed between tokens: unmarked',
  );
});

test('tokens of what was taken away are passed over, and the same comes out as of looking at each', () => {
  let seed = 7;
  const random = n => {
    seed = (seed * 48271) % 2147483647;
    return seed % n;
  };
  for (let round = 0; round < 300; round++) {
    const old = Array.from({ length: 60 }, () => 'ab e\u0301'[random(5)]).join('');
    const bytes = new TextEncoder().encode(old).length;
    const cuts = [];
    for (let at = 1 + random(4); at < bytes; at += 1 + random(4)) cuts.push(at);
    const from = random(50);
    const to = from + random(60 - from + 1);
    const insert = 'xyz'.slice(random(4));
    const now = old.slice(0, from) + insert + old.slice(to);
    const shift = insert.length - (to - from);
    const map = (pos, side) =>
      pos < from || (pos === from && side < 0)
        ? pos
        : pos > to || (pos === to && side > 0)
          ? pos + shift
          : side < 0
            ? from
            : from + insert.length;
    const end = from + insert.length;
    const unmap = (pos, side) =>
      pos < from || (pos === from && side < 0)
        ? pos
        : pos > end || (pos === end && side > 0)
          ? pos - shift
          : side < 0
            ? from
            : to;
    const tokens = tokensOf(old, [...cuts, bytes]);
    const plain = Object.create(tokens, {
      placedCount: { value: tokens.placedCount },
      placed: { value: k => tokens.placed(k) },
    });
    let asked = 0;
    // it can only begin, not go on elsewhere
    plain.firstEndingAfter = pos => (asked++ ? 0 : tokens.firstEndingAfter(pos));
    assert.deepEqual(
      cut(now, tokens, { map, unmap }),
      cut(now, plain, { map, unmap }),
      JSON.stringify([old, from, to, insert]),
    );
  }
});

test('a megabyte of tokens that are gone is not walked through', () => {
  const tokens = tokensOf(
    'x'.repeat(2000),
    Array.from({ length: 2000 }, (_, n) => n + 1),
  );
  let mapped = 0;
  const map = () => {
    mapped++;
    return 0;
  };
  const unmap = (_, side) => (side < 0 ? 0 : 2000);
  assert.deepEqual(cut('', tokens, { map, unmap }), []);
  assert.ok(mapped < 10, `${mapped} positions were mapped`);
});

test('the beginning of a text holds whole characters', () => {
  assert.equal(shortened('short', 5), 'short');
  assert.equal(shortened('abcdef', 4), 'abcd');
  assert.equal(shortened('abc👩‍🔬def', 5), 'abc');
  assert.equal(shortened('abc👩‍🔬def', 8), 'abc👩‍🔬');
  assert.equal(shortened('xe\u0301y', 2), 'x');
});

test('of text outside of what is known nothing is said, and inside it what no token holds', () => {
  const text = 'one  two three';
  const tokens = Object.assign(tokensOf(text, [3, 5, 8, 14]), { known: { from: 3, to: 8 } });
  for (const name of ['ids', 'start8', 'end8', 'start16', 'end16', 'flags'])
    tokens[name] = tokens[name].all().slice(2, 3); // "two" alone
  assert.deepEqual(cut(text, tokens), [['  '], ['two', 0]]);
  const moved = { map: pos => pos + 4, unmap: pos => Math.max(0, pos - 4) };
  assert.deepEqual(cut(`new ${text}`, tokens, moved), [['  '], ['two', 0]]);
  assert.deepEqual(segmentsOf(tokens, 9, 14, new Clusters(text)), []);
});
