/** Text in GPT-2's byte alphabet: what it stands for, and the line in Inspect that says so. */
import './page.js';
import assert from 'node:assert/strict';
import test from 'node:test';
import { textOfByteAlphabet } from '../../lab_ui/js/text/byte_alphabet.js';

const { ByteAlphabetPanel } = await import('../../lab_ui/js/screens/inspect/panels/byte_alphabet.js');

const TEXTS = [
  ['Ġworld', ' world'],
  ['HelloĠworldĊĊ', 'Hello world\n\n'],
  ['Ġa Ġb\nĠc', ' a b c'], // tokens one after the other
  ['Ã©', 'é'],
  ['cafÃ© au lait', 'café au lait'],
  ['à¶Ĵ', 'ඒ'],
  ['ĠæĹ¥æľ¬', ' 日本'],
  ['ðŁĺĢ', '😀'],
  ['čĊĉx', '\r\n\tx'],
  ['ĊĠĠindented', '\n  indented'],
];
const OTHERS = ['', 'Hello, world', 'café', 'naïve über', '日本', 'Ġ日', '😀', 'Ġæ', 'Ċé', 'a\u00a0b', '“Ġworld”'];
const LANGUAGES = ['děti', 'čau lidi', 'mně', 'są', 'āba', 'Pāvils', 'ĉevalo', 'għal', 'Żejtun ħobż'];

for (const [text, expected] of TEXTS)
  test(`${text} stands for a text`, () => assert.equal(textOfByteAlphabet(text), expected));

for (const text of [...OTHERS, ...LANGUAGES])
  test(`“${text}” is no text of the byte alphabet`, () => assert.equal(textOfByteAlphabet(text), null));

test('Inspect says what a text stands for, and puts it into the editor', () => {
  const set = [];
  const panel = new ByteAlphabetPanel();
  panel.mount(/** @type {any} */ ({ session: { setText: text => set.push(text) } }));
  panel.onAnswer(/** @type {any} */ ({ text: 'HelloĠworld' }));
  assert.equal(panel.element.hidden, false);
  assert.match(panel.element.textContent, /for “Hello world”/);
  panel.element.querySelector('button').click();
  assert.deepEqual(set, ['Hello world']);
  for (const answer of [{ text: 'Hello world' }, { text: `Ġ${'a'.repeat(200_000)}` }, null]) {
    panel.onAnswer(/** @type {any} */ (answer));
    assert.equal(panel.element.hidden, true);
  }
});
