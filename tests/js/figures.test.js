import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { difference, tokenWords, tokensWords, unknownWords } from '../../lab_ui/js/text/figures.js';
import { ratio } from '../../lab_ui/js/util/format.js';

const cases = JSON.parse(readFileSync(new URL('../golden/figures.json', import.meta.url), 'utf8'));
/** The page has thin spaces in numbers, which a terminal may not show. */
const plain = words => words.replaceAll('\u202f', ' ');

for (const { name, result, base, words } of cases) {
  test(`the page writes figures as the command line does: ${name}`, () => {
    const { text_token_count: own, bytes_per_token: bytes, characters_per_token: characters } = result;
    assert.deepEqual(
      {
        tokens: plain(tokenWords(result)),
        difference: plain(difference(own, base)),
        bytes_per_token: ratio(bytes),
        characters_per_token: ratio(characters),
        unknown: plain(unknownWords(result)),
      },
      words,
    );
  });
}

test('one token is not "1 tokens"', () => {
  const words = (count, own) => tokensWords(/** @type {any} */ ({ count, text_token_count: own }));
  assert.deepEqual(
    [words(1, 1), words(3, 1), words(2, 2), words(1, null)],
    ['1 token', '1 + 2 tokens', '2 tokens', '1 token'],
  );
});
