import assert from 'node:assert/strict';
import test from 'node:test';
import { Clusters, clusterAt, clustersOf, mayJoin, shortened } from '../../lab_ui/js/text/clusters.js';

// What joins: marks, joiners, flags, Hangul letters, Indic conjuncts, prefixes, line ends.
const BESIDE = [
  'a',
  '\u0301',
  '\u200d',
  '\u{1f1eb}',
  '\u{1f469}',
  '\u{1f3fd}',
  '한',
  '\uac00',
  '\u1100',
  '\u1161',
  '\u11a8',
  'क',
  'क\u094d',
  '\u0600',
  '\r',
  '\n',
  'あ',
  '\u{1f469}\u200d',
];

/** Where the segmenter sees boundaries. */
function boundaries(text) {
  let at = 0;
  return new Set(
    clustersOf(text).map(cluster => {
      at += cluster.length;
      return at;
    }),
  );
}

test('where two characters are one to a reader, it is not ruled out that they join', () => {
  let character = 7;
  for (let n = 0; n < 1500; n++) {
    character = (character * 40_503 + 12_345) % 0x20000; // goes over all of the first two planes in the long run
    if (character >= 0xd800 && character < 0xe000) continue;
    for (const beside of [BESIDE[n % BESIDE.length], BESIDE[(n * 7 + 3) % BESIDE.length]])
      for (const text of [String.fromCodePoint(character) + beside, beside + String.fromCodePoint(character)]) {
        const found = boundaries(text);
        for (let at = 1; at < text.length; at++)
          assert.ok(found.has(at) || mayJoin(text, at), JSON.stringify([text, at]));
      }
  }
});

test('most of a text is ruled out', () => {
  for (const text of ['Hello, world', '日本語のテキスト', 'Привет', 'مرحبا', '한국어', '😀😀']) {
    const asked = Array.from({ length: text.length }, (_, at) => at).filter(
      at => mayJoin(text, at) && boundaries(text).has(at),
    );
    assert.deepEqual(asked, [], text);
  }
});

test('places are rounded to clusters', () => {
  const text = 'a🇫🇷🇩🇪e\u0301\r\nक्षि';
  const clusters = new Clusters(text);
  const known = boundaries(text);
  for (let at = 0; at <= text.length; at++) {
    const floor = [0, ...known].filter(one => one <= at).at(-1);
    const ceil = [0, ...known].find(one => one >= at);
    assert.deepEqual([clusters.floor(at), clusters.ceil(at)], [floor, ceil], String(at));
    if (at < text.length)
      assert.deepEqual(
        clusterAt(text, at),
        { from: floor, to: [...known].find(one => one > at) },
        `the cluster at ${at}`,
      );
  }
  assert.equal(shortened('ab🇫🇷', 4), 'ab');
});

test('of a long row of flags each is told', () => {
  const text = '🇫🇷'.repeat(2000);
  assert.deepEqual(clusterAt(text, 6002, 5996), { from: 6000, to: 6004 });
  assert.deepEqual(clusterAt(text, 6002), { from: 6000, to: 6004 });
});
