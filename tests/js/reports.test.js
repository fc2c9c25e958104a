import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';
import { Settings } from '../../lab_ui/js/app/settings.js';
import { Status } from '../../lab_ui/js/app/status.js';
import ReportsScreen from '../../lab_ui/js/screens/reports/screen.js';

/** Lets everything happen that waits for nothing but promises. */
const settled = () => new Promise(resolve => setTimeout(resolve));

/** An element, as far as the screen uses it. */
class FakeElement {
  children = [];
  listeners = {};
  value = '';
  setAttribute() {}
  addEventListener = (name, act) => Object.assign(this.listeners, { [name]: act });
  append = (...children) => this.children.push(...children);
  replaceChildren = (...children) => Object.assign(this, { children });
  contains = () => false;
  /** @returns {FakeElement[]} itself and all below that answer to an event */
  withListener = name => [
    ...(this.listeners[name] ? [this] : []),
    ...this.children.filter(child => child instanceof FakeElement).flatMap(child => child.withListener(name)),
  ];
}

beforeEach(() =>
  Object.assign(globalThis, { document: { activeElement: null, createElement: () => new FakeElement() } }),
);

const REPORT = { id: 1, name: 'mine', saved_at: '2024-05-01T10:00', text_characters: 1, beginning: 'a', counts: {} };

/** The screen, shown, in a lab whose backend answers POST and DELETE when the test says so. */
async function shown() {
  let answer = _response => {};
  const fetch = (_path, { method }) =>
    method === 'GET' ? Promise.resolve(Response.json({ sessions: [REPORT] })) : new Promise(done => (answer = done));
  Object.assign(globalThis, { fetch });
  const announced = [];
  const surface = { error: null, status: {}, announce: message => announced.push(message) };
  const status = new Status(/** @type {any} */ (surface));
  const settings = new Settings();
  settings.define('', { chosen: { default: [] }, addSpecialTokens: { default: true }, specials: { default: 'text' } });
  const screen = new ReportsScreen();
  const root = new FakeElement();
  const parts = { settings, session: { text: 'a' }, router: { latestOf: () => undefined } };
  const context = { ...parts, status: status.of('reports'), activity: { track: work => work } };
  screen.mount(/** @type {any} */ (root), /** @type {any} */ (context));
  status.show('reports');
  await screen.activate();
  const leave = () => {
    screen.deactivate();
    status.show('inspect');
  };
  const save = () => root.withListener('submit')[0].listeners.submit({ preventDefault() {} });
  const remove = () => root.withListener('blur')[0].listeners.click(); // the one that asks before it acts
  return { screen, status, surface, announced, leave, save, remove, answer: response => answer(response) };
}

const refusal = () =>
  Response.json({ error: { code: 'x', message: 'the disk is full', hint: 'make room' } }, { status: 507 });

for (const act of ['save', 'remove'])
  test(`why it failed to ${act} is shown to who left meanwhile and comes back`, async () => {
    const { surface, status, leave, answer, ...acts } = await shown();
    acts[act]();
    if (act === 'remove') acts.remove(); // confirmed
    leave();
    answer(refusal());
    await settled();
    assert.equal(surface.error, null, 'not on another screen');
    status.show('reports');
    assert.equal(surface.error?.message, 'the disk is full');
  });

test('a session that is saved after its screen was left is not announced on another one', async () => {
  const { announced, leave, save, answer } = await shown();
  save();
  leave();
  answer(Response.json({ id: 2 }));
  await settled();
  assert.deepEqual(announced, []);
});
