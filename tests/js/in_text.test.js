import assert from 'node:assert/strict';
import test from 'node:test';
import { GapArray } from '../../lab_ui/js/text/gap_array.js';
import { nextPlace, nextSplit, splitCharacters } from '../../lab_ui/js/screens/inspect/in_text.js';
import { tokensOf } from './helpers.js';

test('the places of a token go round', () => {
  const tokens = /** @type {any} */ ({ ids: new GapArray(Uint32Array.of(7, 3, 7, 4, 7)), length: 5 });
  assert.deepEqual(
    [0, 2, 4].map(i => nextPlace(tokens, i, 1)),
    [2, 4, 0],
  );
  assert.deepEqual(
    [0, 2, 4].map(i => nextPlace(tokens, i, -1)),
    [4, 0, 2],
  );
  assert.equal(nextPlace(tokens, 1, 1), 1);
});

test('split characters, each once, and the way to them', async () => {
  const text = 'a語b👩語';
  const tokens = tokensOf(text, [1, 3, 4, 5, 7, 9, 11, 12]);
  assert.deepEqual(await splitCharacters(tokens, text), {
    characters: [
      { character: '語', tokens: [1, 2] },
      { character: '👩', tokens: [4, 5] },
    ],
    more: false,
  });
  const first = await nextSplit(tokens, text, '語', -1);
  const second = await nextSplit(tokens, text, '語', first);
  assert.ok(first >= 0 && second > first);
  assert.equal(await nextSplit(tokens, text, '語', second), first, 'goes round');
  assert.equal(await nextSplit(tokens, text, 'x', 0), -1);
  assert.deepEqual((await splitCharacters(tokensOf('abc', [1, 3]), 'abc')).characters, []);
});

test('a flag, a family and a letter with its accent are one character each', async () => {
  const flag = '🇫🇷';
  const family = '👩\u200d💻';
  const letter = 'e\u0301';
  const text = `${flag}${flag} ${family} ${letter}x`;
  // Every code point a token, so that no token starts inside of one.
  const cuts = [4, 8, 12, 16, 17, 21, 24, 28, 29, 30, 32, 33];
  const tokens = tokensOf(text, cuts);
  const { characters } = await splitCharacters(tokens, text);
  assert.deepEqual(characters, [
    { character: flag, tokens: [0, 1] },
    { character: family, tokens: [5, 6, 7] },
    { character: letter, tokens: [9, 10] },
  ]);
  assert.equal(await nextSplit(tokens, text, flag, -1), 1);
  assert.equal(await nextSplit(tokens, text, flag, 1), 3, 'the second flag');
  assert.equal(await nextSplit(tokens, text, flag, 3), 1);
  assert.equal(await nextSplit(tokens, text, family, 0), 6);
  assert.equal(await nextSplit(tokens, text, family, 6), 7, 'another later part of the same');
  assert.equal(await nextSplit(tokens, text, 'e', -1), -1, 'a part is not the character');
});

test('a token that holds two whole flags splits none', async () =>
  assert.deepEqual((await splitCharacters(tokensOf('🇫🇷🇩🇪', [8, 16]), '🇫🇷🇩🇪')).characters, []));

test('tokens that are edited while they are looked at are given up', async () => {
  const text = 'ab '.repeat(40_000);
  const tokens = tokensOf('語', [1, 3]);
  for (const name of ['ids', 'start8', 'end8', 'start16', 'end16', 'flags'])
    tokens[name] = tokens[name].all().slice(0, 1);
  Object.defineProperty(tokens, 'placedCount', { value: text.length });
  Object.assign(tokens, { placed: () => 0, has: () => !++tokens.edits });
  assert.equal(await splitCharacters(tokens, text), null);
});

test('the next part of a character is looked for in pieces, over all tokens once', async () => {
  const text = 'ab '.repeat(40_000);
  const tokens = tokensOf('ab ', [2, 3]);
  let read = 0;
  let turns = 0;
  for (const name of ['ids', 'start8', 'end8', 'start16', 'end16', 'flags'])
    tokens[name] = { at: i => (name === 'end16' ? i + 1 : i), length: text.length };
  Object.defineProperty(tokens, 'placedCount', { value: text.length });
  Object.assign(tokens, {
    placed: k => k,
    has: () => {
      read++;
      return false;
    },
  });
  assert.equal(
    await nextSplit(tokens, text, '語', -1, {
      maybeYield: async () => {
        turns++;
      },
    }),
    -1,
  );
  assert.equal(read, text.length);
  assert.ok(turns >= text.length / 2000);
});

test('how often a token occurs is counted once until the text is edited', () => {
  const tokens = tokensOf('abcabc', [1, 2, 3, 4, 5, 6]);
  let read = 0;
  const ids = [1, 2, 3, 1, 2, 3];
  tokens.ids = /** @type {any} */ ({
    at: i => {
      read++;
      return ids[i];
    },
    length: 6,
  });
  assert.deepEqual(
    [1, 1, 2, 1].map(id => tokens.occurrences(id)),
    [2, 2, 2, 2],
  );
  assert.equal(read, 12);
  tokens.edits++;
  ids[0] = 2;
  assert.deepEqual(
    [1, 2].map(id => tokens.occurrences(id)),
    [1, 3],
  );
});
