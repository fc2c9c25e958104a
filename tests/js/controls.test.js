/** Buttons that act and choices of files, as forms and panels make them; states of screens in addresses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './page.js';

const { actionButton, h } = await import('../../lab_ui/js/ui/dom.js');
const { fileChooser } = await import('../../lab_ui/js/ui/form.js');
const { addressOf, flag, number, oneOf, text } = await import('../../lab_ui/js/app/state/address_fields.js');

test('a button acts when it is pressed and submits no form', () => {
  let pressed = 0;
  const button = actionButton([h('b', {}, 'A'), null, ' word'], () => pressed++, { 'data-role': 'go' });
  button.click();
  assert.equal(pressed, 1);
  assert.equal(button.type, 'button');
  assert.equal(button.className, 'button framed');
  assert.equal(button.outerHTML.includes('<b>A</b> word'), true);
  assert.equal(actionButton('Go', () => {}, { class: 'button primary' }).className, 'button primary');
});

test('a choice of files reports them, and the same ones again', () => {
  const taken = [];
  const chooser = fileChooser('some-files', files => taken.push(files.map(({ name }) => name)), { multiple: true });
  const choose = names => {
    const files = names.map(name => new File(['x'], name));
    Object.defineProperty(chooser, 'files', { configurable: true, value: files });
    chooser.dispatchEvent(new Event('change'));
  };
  for (const names of [['a', 'b'], [], ['a', 'b']]) choose(names);
  assert.deepEqual(taken, [
    ['a', 'b'],
    ['a', 'b'],
  ]);
  assert.equal(chooser.multiple, true);
});

test('an address has what is not usual, and is read back; what no field may be is ignored', () => {
  const { paramsOf, stateOf } = addressOf({
    id: number('run'),
    view: oneOf('tab', [{ value: 'one' }, { value: 'two' }], 'one'),
    search: text('q', ''),
    asTable: flag('as', 'table'),
  });
  const usual = { id: null, view: 'one', search: '', asTable: false };
  assert.equal(paramsOf(usual).toString(), '');
  assert.deepEqual(stateOf(new URLSearchParams()), usual);
  const state = { id: 0, view: 'two', search: 'a&b', asTable: true };
  assert.equal(paramsOf(state).toString(), 'run=0&tab=two&q=a%26b&as=table');
  assert.deepEqual(stateOf(paramsOf(state)), state);
  assert.deepEqual(stateOf(new URLSearchParams('run=-1&tab=three&as=list')), usual);
});
