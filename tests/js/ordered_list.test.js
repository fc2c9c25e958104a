/** A list that is put in order with buttons and keys: the focus goes along. */
import { press } from './page.js';
import assert from 'node:assert/strict';
import test from 'node:test';
import { OrderedList } from '../../lab_ui/js/ui/ordered_list.js';
import { listen } from '../../lab_ui/js/ui/dom.js';

/** @param {string[]} names the first of which is fixed */
function listOf(names) {
  const list = new OrderedList();
  document.body.replaceChildren(list);
  const show = () => list.show(names.map((name, at) => ({ name, note: '', isFixed: at === 0 })));
  listen(list, 'moved', ({ from, to }) => {
    names.splice(to, 0, ...names.splice(from, 1));
    show();
  });
  show();
  /** @param {number} at @param {string} action */
  const button = (at, action) => list.querySelectorAll('li')[at].querySelector(`[data-act=${action}]`);
  return { list, button };
}

test('entries are moved by buttons and by keys, but not past the ends or what is fixed', () => {
  const names = ['first', 'a', 'b', 'c'];
  const { list, button } = listOf(names);
  assert.equal(button(0, 'up'), null);
  assert.equal(button(1, 'up').disabled, true);
  assert.equal(button(3, 'down').disabled, true);
  button(3, 'up').focus();
  button(3, 'up').click();
  assert.deepEqual(names, ['first', 'a', 'c', 'b']);
  assert.equal(document.activeElement, button(2, 'up'));
  press(document.activeElement, 'ArrowUp', { altKey: true });
  assert.deepEqual(names, ['first', 'c', 'a', 'b']);
  assert.ok(list.querySelectorAll('li')[1].contains(document.activeElement));
  press(document.activeElement, 'ArrowUp', { altKey: true });
  press(document.activeElement, 'ArrowDown');
  assert.deepEqual(names, ['first', 'c', 'a', 'b']);
});

test('what was pressed or taken out is reported by its place', () => {
  const { list, button } = listOf(['first', 'a']);
  const seen = [];
  listen(list, 'entry', at => seen.push(['entry', at]));
  listen(list, 'takenout', at => seen.push(['takenout', at]));
  list.querySelectorAll('.ordered-name')[0].click();
  button(1, 'remove').click();
  assert.deepEqual(seen, [
    ['entry', 0],
    ['takenout', 1],
  ]);
});
