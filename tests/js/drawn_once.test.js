/** What shows the same stays; what is made anew gives the focus back to what has the same key. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './page.js';

const { drawnOnce, h } = await import('../../lab_ui/js/ui/dom.js');

test('an element is made anew only if it shows something else', () => {
  const element = h('div', {});
  const draw = value => drawnOnce(element, { value }, () => [h('b', {}, String(value)), null, false, 'x']);
  assert.ok(draw(1));
  const [before] = element.children;
  assert.ok(!draw(1));
  assert.equal(element.firstChild, before);
  assert.ok(draw(2));
  assert.equal(element.textContent, '2x');
  assert.ok(!drawnOnce(h('div', {}), 1, () => []) === false, 'another element is another');
});

test('the focus stays on what has the same key', () => {
  const element = h('div', {});
  document.body.append(element);
  const draw = keys => drawnOnce(element, keys, () => keys.map(key => h('button', { 'data-key': key }, key)));
  draw(['"a"', 'b']);
  element.firstChild.focus();
  draw(['b', '"a"']);
  assert.equal(document.activeElement.dataset.key, '"a"');
  draw(['b']);
  assert.notEqual(document.activeElement.dataset?.key, 'b', 'nothing else takes it');
});
