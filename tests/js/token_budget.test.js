import assert from 'node:assert/strict';
import test from 'node:test';
import { Clusters } from '../../lab_ui/js/text/clusters.js';
import { chunkBoundaries, chunkStarts, everyOf, chunksOf } from '../../lab_ui/js/text/chunks.js';
import { contextSize, costWords, priceOf } from '../../lab_ui/js/screens/inspect/token_budget.js';
import { tokensOf } from './helpers.js';

test('sizes and prices are what was typed, or nothing', () => {
  assert.deepEqual(['8192', '128 000', '128_000', '', '0', '-5', '8k', '1.5', '9'.repeat(14)].map(contextSize), [
    8192,
    128000,
    128000,
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
  assert.deepEqual(priceOf('$2.50'), { amount: 2.5, before: '$', after: '' });
  assert.deepEqual(priceOf(' 2,5 € '), { amount: 2.5, before: '', after: ' €' });
  assert.deepEqual(priceOf('0.125'), { amount: 0.125, before: '', after: '' });
  for (const typed of ['', 'free', '1,500', '1.500', '1 2', '-3', '$']) assert.equal(priceOf(typed), null, typed);
});

test('costs', () => {
  assert.equal(costWords(priceOf('$2.50'), 125), '$0.000313');
  assert.equal(costWords(priceOf('3 EUR'), 2_000_000), '6 EUR');
  assert.equal(costWords(priceOf('$2'), 0), '$0');
  assert.equal(costWords(priceOf('0.00001'), 1), '0.00000000001');
});

test('pieces are the text, split between tokens and never inside of a character', () => {
  const text = 'ab語cd';
  const tokens = tokensOf(text, [1, 2, 3, 4, 5, 6, 7]);
  for (const [every, pieces, moved] of [
    [1, ['a', 'b', '語', 'c', 'd'], 2],
    [2, ['ab', '語c', 'd'], 1],
    [3, ['ab', '語c', 'd'], 1],
    [7, [text], 0],
    [100, [text], 0],
  ]) {
    const found = chunkBoundaries(tokens, text, every);
    assert.deepEqual(chunksOf(text, found.boundaries), pieces, `every ${every}`);
    assert.equal(chunksOf(text, found.boundaries).join(''), text);
    assert.equal(found.moved, moved, `moved, every ${every}`);
  }
  const flag = 'a🇯🇵b';
  const halves = chunkBoundaries(tokensOf(flag, [1, 5, 9, 10]), flag, 2);
  assert.deepEqual([chunksOf(flag, halves.boundaries), halves.moved], [['a', '🇯🇵b'], 1], 'a flag is one character');
  assert.deepEqual(chunksOf('', chunkBoundaries(tokensOf('', []), '', 2).boundaries), []);
  assert.deepEqual(
    chunksOf('abcd', chunkBoundaries(tokensOf('abcd', [2, 4], { before: 1, after: 1 }), 'abcd', 1).boundaries),
    ['ab', 'cd'],
    'tokens of the postprocessor have no place',
  );
});

test('marks in a window are the boundaries of the whole text', () => {
  const text = 'a🇯🇵bcdefgh';
  const tokens = tokensOf(text, [1, 5, 9, 10, 11, 12, 13, 14, 15, 16], { before: 1, after: 1 });
  const clusters = new Clusters(text);
  for (const every of [1, 2, 3]) {
    const { boundaries } = chunkBoundaries(tokens, text, every);
    const window = [...chunkStarts(tokens, every, every * 2, clusters)].map(({ at }) => at);
    assert.deepEqual(
      [...new Set(window)],
      boundaries.filter(at => at >= window[0]),
    );
  }
  const [{ k, at }] = chunkStarts(tokens, 4, 4, clusters, pos => pos + 0);
  assert.deepEqual([k, at], [4, text.indexOf('c')]);
  for (const [typed, every] of [
    ['512', 512],
    [7, 7],
    ['', null],
    ['0', null],
    ['1.5', null],
    ['-3', null],
    ['x', null],
  ])
    assert.equal(everyOf(typed), every);
});
