/** Which command a key means, by where the focus is and whether a dialog is open. */
import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';
import { press } from './page.js';

const { keyListener } = await import('../../lab_ui/js/app/commands/shortcuts.js');
const { dialog } = await import('../../lab_ui/js/ui/dialog.js');
const { h } = await import('../../lab_ui/js/ui/dom.js');

let done = [];
const listener = keyListener({
  commands: () => [' ', '1', 'Mod+K', 'F8'].map(key => ({ label: key, keys: [key], run: () => done.push(key) })),
  takesSingleKeys: () => true,
  onEscape: () => done.push('Escape'),
});
document.addEventListener('keydown', event => listener(/** @type {any} */ (event)));

beforeEach(() => {
  done = [];
  document.body.replaceChildren();
});

/** @param {Element} target @returns {string[]} what the keys of the lab did there */
function doneIn(target) {
  done = [];
  for (const key of [' ', '1', 'F8', 'Escape']) press(target, key);
  press(target, 'k', { ctrlKey: true });
  return done;
}

test('Space presses the control that has the focus, and fields take letters; elsewhere they are commands', () => {
  const [button, field] = [h('button'), h('textarea')];
  document.body.append(button, field);
  assert.deepEqual(doneIn(document.body), [' ', '1', 'F8', 'Escape', 'Mod+K']);
  assert.deepEqual(doneIn(button), ['1', 'F8', 'Escape', 'Mod+K']);
  assert.deepEqual(doneIn(field), ['F8', 'Escape', 'Mod+K']);
});

test('no key does anything behind an open dialog, wherever the focus is', () => {
  const open = dialog({ label: 'Add a corpus', class: 'add-corpus' }, h('input'));
  document.body.append(open);
  open.showModal();
  for (const target of [document.body, open, open.querySelector('input'), open.querySelector('button')])
    assert.deepEqual(doneIn(/** @type {Element} */ (target)), []);
  open.close();
  assert.deepEqual(doneIn(document.body), [' ', '1', 'F8', 'Escape', 'Mod+K']);
});
