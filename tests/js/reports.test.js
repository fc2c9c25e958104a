import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';
import { Settings } from '../../lab_ui/js/app/state/settings.js';
import { Status } from '../../lab_ui/js/app/state/status.js';
import ReportsScreen from '../../lab_ui/js/screens/reports/screen.js';
import { figureWords } from '../../lab_ui/js/screens/reports/result_card.js';

/** Lets everything happen that waits for nothing but promises. */
const settled = () => new Promise(resolve => setTimeout(resolve));

/** An element, as far as the screen uses it. */
class FakeElement {
  children = [];
  listeners = {};
  attributes = {};
  dataset = {};
  value = '';
  classList = { toggle() {} };
  constructor(tag = 'div') {
    this.tag = tag;
  }
  setAttribute = (name, value) => Object.assign(this.attributes, { [name]: value });
  addEventListener = (name, act) => Object.assign(this.listeners, { [name]: act });
  append = (...children) => this.children.push(...children);
  insertBefore = child => this.children.push(child);
  contains = () => false;
  /** @returns {FakeElement[]} all below */
  get all() {
    const own = this.children.filter(child => child instanceof FakeElement);
    return own.flatMap(child => [child, ...child.all]);
  }
  /** By tag, class or role. */
  querySelectorAll = selector =>
    this.all.filter(
      ({ tag, attributes }) =>
        tag === selector ||
        `[data-role=${attributes['data-role']}]` === selector ||
        attributes.class?.split(' ').some(name => `.${name}` === selector),
    );
  /** @returns {FakeElement[]} itself and all below that answer to an event */
  withListener = name => [this, ...this.all].filter(element => element.listeners[name]);
}

beforeEach(() =>
  Object.assign(globalThis, { document: { activeElement: null, createElement: tag => new FakeElement(tag) } }),
);

const SAVED = {
  id: 1,
  name: 'mine',
  saved_at: '2024-05-01T10:00',
  text_characters: 1,
  beginning: 'a',
  add_special_tokens: true,
  specials: 'text',
  lab_version: '0.1.0',
  results: [{ tokenizer: 'gpt2', sha256: null, origin: null, revision: null, count: 1 }],
};

const ANALYSES = [
  { id: 4, made_at: '2024-05-01T10:00', corpus: 'own', title: 'own.txt', tokenizers: ['gpt2', 'bert'] },
];
const BENCHMARKS = [
  {
    id: 5,
    title: 'Ours',
    created_at: '2024-05-01T10:00',
    text_title: 'UDHR',
    state: 'cancelled',
    winner: 'gpt2/tokenlab',
  },
];

/** The screen, shown, in a lab whose backend answers POST and DELETE when the test says so. */
async function shown(trainings = []) {
  let answer = _response => {};
  const sent = [];
  const fetch = (_path, { method, body }) =>
    method === 'GET' || !sent.push(body)
      ? Promise.resolve(
          Response.json({ trainings, analyses: ANALYSES, benchmarks: BENCHMARKS, sessions: [SAVED], labels: [] }),
        )
      : new Promise(done => (answer = done));
  Object.assign(globalThis, { fetch });
  const announced = [];
  const surface = { error: null, status: {}, announce: message => announced.push(message) };
  const status = new Status(/** @type {any} */ (surface));
  const settings = new Settings();
  settings.define('', { chosen: { default: [] }, addSpecialTokens: { default: true }, specials: { default: 'text' } });
  const screen = new ReportsScreen();
  const root = new FakeElement();
  const catalog = { nameOf: id => id };
  const gone = [];
  const router = { latestOf: () => undefined, go: (...where) => gone.push(where) };
  const parts = { settings, catalog, session: { text: 'a' }, router };
  const context = { ...parts, status: status.of('reports'), activity: { track: work => work } };
  screen.mount(/** @type {any} */ (root), /** @type {any} */ (context));
  status.show('reports');
  await screen.activate();
  const leave = () => {
    screen.deactivate();
    status.show('inspect');
  };
  const save = () => root.withListener('submit')[0].listeners.submit({ preventDefault() {} });
  const open = file => {
    const input = root.withListener('change')[0];
    Object.assign(input, { files: [file] });
    input.listeners.change();
    return settled();
  };
  const remove = () => root.withListener('blur')[0].listeners.click(); // the one that asks before it acts
  return {
    screen,
    root,
    status,
    surface,
    announced,
    gone,
    leave,
    save,
    remove,
    open,
    sent,
    answer: response => answer(response),
  };
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

test('a file is sent as it is, and what cannot be a session is not', async () => {
  const { surface, open, sent } = await shown();
  const file = new File(['\n{"kind": 1'], 'session.json');
  await open(file);
  assert.deepEqual(sent, [file]);
  await open(new File(['PK zip'], 'other.zip'));
  assert.equal(sent.length, 1);
  assert.equal(surface.error?.message, 'other.zip is not a session.');
});

const TRAINING = {
  id: 3,
  name: 'bpe 300, 猫',
  state: 'done',
  made_at: '2024-05-01T10:00:00+00:00',
  vocab_size: 1,
  held_out: { title: 'x', bytes: 9, tokens: 4, bytes_per_token: 2.25, unknown_rate: 0.0001 },
  ended: 'No pair is left.',
  error: null,
  version: 4,
};

test('the figures of a training leave out what was not measured', () => {
  assert.equal(
    figureWords(/** @type {any} */ (TRAINING)),
    'Finished · 1 token · 2.25 bytes/token on held-out text · < 0.1\u202f% unknown · No pair is left.',
  );
  const failed = { ...TRAINING, state: 'failed', vocab_size: null, held_out: null, ended: null };
  assert.equal(figureWords(/** @type {any} */ (failed)), 'Failed');
});

test('trainings that have ended are listed, and those that run are not', async () => {
  const { root } = await shown([TRAINING, { ...TRAINING, id: 4, state: 'running' }]);
  const cards = root.all.filter(({ attributes }) => attributes['data-training']);
  assert.deepEqual(
    cards.map(({ attributes }) => attributes['data-training']),
    ['3'],
  );
});

test('analyses and benchmarks are listed, open on their screens, and name their files', async () => {
  const { root, gone } = await shown();
  const labels = kind => {
    const card = root.all.find(({ attributes }) => attributes[`data-${kind}`]);
    return card.all.filter(({ tag }) => tag === 'button').flatMap(({ attributes }) => attributes['aria-label'] ?? []);
  };
  assert.deepEqual(labels('analysis'), [
    'Report (HTML): own.txt',
    'Report (Markdown): own.txt',
    'Table (LaTeX): own.txt',
    'Table (CSV): own.txt',
    'Everything (JSON): own.txt',
    'Open in Corpus: own.txt',
    'Name and note: own.txt',
  ]);
  assert.ok(labels('benchmark').includes('Table (LaTeX): Ours'));
  for (const name of ['Open in Corpus: own.txt', 'Open in Benchmark: Ours'])
    root.all.find(({ attributes }) => attributes['aria-label'] === name).listeners.click();
  assert.deepEqual(gone, [
    ['corpus', { analysis: '4' }],
    ['benchmark', { run: '5' }],
  ]);
});
