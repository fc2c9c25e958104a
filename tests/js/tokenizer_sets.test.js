/** Sets of tokenizers: saved by name, used, deleted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './page.js';

const { MOST_SETS, TokenizerSets } = await import('../../lab_ui/js/app/tokenizers/tokenizer_sets.js');

/** The element, and what it reports. */
function shown(sets = {}, chosen = ['gpt2', 'bert-base-uncased']) {
  const element = new TokenizerSets();
  document.body.replaceChildren(element);
  element.show({ sets, chosen, nameOf: id => `name of ${id}` });
  const reported = [];
  for (const type of ['useset', 'saveset', 'deleteset'])
    element.addEventListener(type, event => reported.push([type, /** @type {any} */ (event).detail]));
  const field = /** @type {any} */ (element.querySelector('input'));
  const save = name => {
    field.value = name;
    element.querySelector('form').dispatchEvent(new Event('submit', { cancelable: true }));
    return field.validationMessage;
  };
  return { element, reported, save };
}

test('those in use are saved by name', () => {
  const { element, reported, save } = shown();
  assert.equal(element.querySelector('form button').textContent, 'Save the 2 tokenizers in use as a set');
  assert.ok(element.querySelector('ul').hidden);
  assert.equal(save('  '), 'Give the set a name');
  assert.equal(save(' Lecture 1 '), '');
  assert.deepEqual(reported, [['saveset', 'Lecture 1']]);
});

test('a set is used by one press, and deleted by two', () => {
  const { element, reported } = shown({ '<b>': ['gpt2'] });
  const [use, remove] = element.querySelectorAll('li button');
  assert.equal(use.textContent, '<b> · 1 tokenizer');
  assert.equal(use.title, 'name of gpt2');
  use.click();
  remove.click();
  assert.deepEqual(reported, [['useset', '<b>']]);
  remove.click();
  assert.deepEqual(reported[1], ['deleteset', '<b>']);
});

test('there is an end to them, but any can be replaced', () => {
  const { reported, save } = shown(Object.fromEntries([...Array(MOST_SETS).keys()].map(n => [`set ${n}`, ['gpt2']])));
  assert.match(save('one more'), /delete one first/);
  assert.equal(save('set 3'), '');
  assert.deepEqual(reported, [['saveset', 'set 3']]);
});
