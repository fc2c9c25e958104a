/** What all elements of the page are made from: their life, their events, children by key, and questions. */
import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';
import './page.js';

const { LabElement } = await import('../../lab_ui/js/ui/element.js');
const { h, update } = await import('../../lab_ui/js/ui/dom.js');
const { confirmButton } = await import('../../lab_ui/js/ui/confirm_button.js');

/** What the probe has gone through. @type {string[]} */
let log = [];
class Probe extends LabElement {
  render() {
    log.push('render');
  }
  connected(life) {
    log.push('connected');
    life.addEventListener('abort', () => log.push('ended'));
  }
}
customElements.define('probe-element', Probe);

const main = h('main');
beforeEach(() => {
  log = [];
  document.body.replaceChildren(main);
});

/** A probe that is in the page. */
function shown() {
  const probe = new Probe();
  document.body.append(probe);
  return probe;
}
const settled = () => new Promise(resolve => setImmediate(resolve));

test('an element lives while it is in the page', async () => {
  /** @type {[string, (probe: Probe) => any, string[]][]} */
  const lives = [
    ['stays', () => {}, ['render', 'connected']],
    ['leaves', probe => probe.remove(), ['render', 'connected', 'ended']],
    ['moves', probe => main.append(probe), ['render', 'connected']],
    [
      'leaves and comes back',
      async probe => {
        probe.remove();
        await settled();
        document.body.append(probe);
      },
      ['render', 'connected', 'ended', 'connected'],
    ],
    ['is destroyed', probe => probe.destroy(), ['render', 'connected', 'ended']],
    [
      'is destroyed twice',
      probe => {
        probe.destroy();
        probe.destroy();
      },
      ['render', 'connected', 'ended'],
    ],
  ];
  for (const [what, act, expected] of lives) {
    log = [];
    await act(shown());
    await settled();
    assert.deepEqual(log, expected, what);
  }
});

test('an event stays with its element', () => {
  const heard = [];
  const probe = shown();
  document.body.addEventListener('found', () => heard.push('body'));
  probe.addEventListener('found', event => heard.push(/** @type {CustomEvent} */ (event).detail));
  probe.emit('found', 3);
  assert.deepEqual(heard, [3]);
});

test('children keep their element and the focus by key', () => {
  const list = h('div');
  document.body.append(list);
  const draw = names =>
    update(
      list,
      names,
      String,
      name => h('button', {}, name),
      (button, name) => {
        button.title = names.length + name;
      },
    );
  draw(['a', 'b', 'c']);
  const b = /** @type {HTMLElement} */ (list.children[1]);
  b.focus();
  draw(['c', 'b', 'd']);
  const written = [...list.children].map(child => child.textContent + /** @type {HTMLElement} */ (child).title);
  assert.deepEqual(written, ['c3c', 'b3b', 'd3d']);
  assert.equal(list.children[1], b);
  assert.equal(document.activeElement, b);
});

test('a question is asked before what cannot be undone, and taken back when it is left', () => {
  let deleted = 0;
  const button = confirmButton({ label: 'Delete', name: 'my tokenizer', handler: () => deleted++ });
  main.replaceChildren(button);
  button.focus();
  button.click();
  assert.deepEqual([button.textContent, button.ariaLabel], ['Confirm delete', 'Confirm delete my tokenizer']);
  assert.equal(document.activeElement, button);
  button.blur();
  assert.deepEqual([button.textContent, button.ariaLabel], ['Delete', 'Delete my tokenizer']);
  button.click();
  assert.equal(deleted, 0);
  button.click();
  assert.equal(deleted, 1);
});
