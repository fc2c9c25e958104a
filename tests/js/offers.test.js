/** What a menu offers is replaced when it is offered again, and says why something cannot be chosen. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './page.js';

const { MenuButton } = await import('../../lab_ui/js/ui/menu_button.js');
const { all } = await import('../../lab_ui/js/ui/dom.js');

function menuWith() {
  const chosen = [];
  const menu = new MenuButton();
  Object.defineProperty(menu, 'open', { value: false, writable: true }); // happy-dom has no popovers
  document.body.append(menu);
  const offer = (title, offers) => menu.offer(title, offers, { hook: 'save', choose: value => chosen.push(value) });
  const roles = () => all(menu.panel, '.menu-item').map(item => item.dataset.role);
  return { menu, offer, chosen, roles };
}

test('what is offered again takes the place of what was there', () => {
  const { menu, offer, chosen, roles } = menuWith();
  offer('Tokenizer', [{ value: 'json', label: 'JSON' }]);
  offer('Report', [{ value: 'md', label: 'Markdown' }]);
  const [first] = menu.panel.children;
  offer('Tokenizer', [{ value: 'json', label: 'JSON' }]);
  assert.equal(menu.panel.firstChild, first, 'the same stays');
  offer('Tokenizer', [
    { value: 'spm', label: 'SentencePiece' },
    { value: 'txt', label: 'vocab.txt', problem: 'it holds WordPiece alone' },
  ]);
  assert.deepEqual(roles(), ['save-spm', 'save-md']);
  assert.match(menu.panel.textContent, /Not as vocab\.txt: it holds WordPiece alone\./);
  menu.querySelector('[data-role=save-spm]').click();
  assert.deepEqual(chosen, ['spm']);
  const names = all(menu.panel, '.menu-title').map(({ id }) => id);
  assert.equal(new Set(names).size, names.length);
});

test('a title without offers is hidden, and an open menu stays as it is', () => {
  const { menu, offer, roles } = menuWith();
  offer('Save as', []);
  assert.ok(menu.panel.firstChild.hidden);
  menu.open = true;
  offer('Save as', [{ value: 'md', label: 'Markdown' }]);
  assert.deepEqual(roles(), []);
  menu.open = false;
  offer('Save as', [{ value: 'md', label: 'Markdown' }]);
  assert.deepEqual(roles(), ['save-md']);
  assert.ok(!menu.panel.firstChild.hidden);
});
