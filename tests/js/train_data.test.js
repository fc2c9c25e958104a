import assert from 'node:assert/strict';
import test from 'node:test';
import { isLive } from '../../lab_ui/js/app/training_states.js';
import { TrainData } from '../../lab_ui/js/screens/train/train_data.js';
import { Steps } from '../../lab_ui/js/screens/train/steps.js';
import { FakeClock, flush } from './fake_lab.js';

/** The jobs of trainings, whose number is that of their training. */
class FakeJobs extends EventTarget {
  jobs = [];
  #ends = new Map();

  followById(id) {
    this.jobs = [...this.jobs.filter(each => each.id !== id), { id, version: 1, isLost: false }];
    return new Promise(resolve => this.#ends.set(id, resolve));
  }

  /** @param {string} id @param {Object} [changes] */
  change(id, changes = {}) {
    this.jobs = this.jobs.map(job => (job.id === id ? { ...job, version: job.version + 1, ...changes } : job));
    this.dispatchEvent(new CustomEvent('change'));
  }

  /** @param {string} id */
  end(id) {
    this.jobs = this.jobs.filter(job => job.id !== id);
    this.#ends.get(id)(null);
  }
}

/** A backend whose trainings change when the test says so. */
function lab(states = []) {
  const clock = new FakeClock();
  const jobs = new FakeJobs();
  const kept = states.map((state, n) => {
    const id = states.length - n;
    return { id, job: isLive({ state }) ? String(id) : null, state, version: 1 };
  });
  const failed = [];
  const find = id => kept.find(each => each.id === id);
  const client = {
    rows: /** @type {any[]} */ ([]),
    gone: false,
    answers: Promise.resolve(),
    read: 0,
    references: [],
    listTrainings: async () => kept.map(each => ({ ...each })),
    trainingOptions: async () => ({ presets: [], practice: [] }),
    async getTraining(id) {
      client.read++;
      if (client.gone) throw Object.assign(new Error('gone'), { code: 'backend_gone' });
      return { ...find(id) };
    },
    async startTraining(body) {
      if (body.fails) throw new Error('no such file');
      await client.answers;
      const id = kept.length + 1;
      kept.unshift({ id, job: String(id), state: 'running', version: 1 });
      return { ...kept[0] };
    },
    trainingSteps: async (_id, { offset, limit, order }) => {
      const rows = order === 'newest' ? [...client.rows].reverse() : client.rows;
      return { total: rows.length, rows: rows.slice(offset, offset + limit) };
    },
    async trainingFigures(_id, { tokenizers }) {
      client.references.push(tokenizers.join());
      return { figures: [], missing: [], references: [] };
    },
    trainingLog: async () => [],
    pauseTraining: async id => client.change(id, 'paused'),
    continueTraining: async id => client.change(id, 'running'),
    keepTraining: async id => client.change(id, 'kept'),
    resumeTraining: async id => client.change(id, 'running'),
    removed: [],
    async removeTraining(id) {
      client.removed.push(id);
      if (!isLive(find(id))) kept.splice(kept.indexOf(find(id)), 1);
    },
    change(id, state) {
      const training = find(id);
      Object.assign(training, { state, job: isLive({ state }) ? String(id) : null, version: training.version + 1 });
      return { ...training };
    },
  };
  const life = new AbortController();
  const data = new TrainData(life.signal, error => failed.push(error), jobs, /** @type {any} */ (client), clock);
  return { data, jobs, client, clock, failed, life };
}

test('opens the newest training, or the one that is asked for', async () => {
  const { data } = lab(['done', 'kept', 'failed']);
  assert.deepEqual(await data.load(null), { missing: [] });
  assert.equal(data.training.id, 3);
  assert.deepEqual(await data.load(1), { missing: [] });
  assert.deepEqual([data.training.id, data.training.state], [1, 'failed']);
  assert.deepEqual(await data.load(9), { missing: ['training 9'] });
  assert.equal(data.training.id, 3);
});

test('follows a training that runs until it has ended, and reads its last steps', async () => {
  const { data, jobs, client, clock } = lab([]);
  await data.load(null);
  const ended = [];
  data.addEventListener('trainingend', event => ended.push(/** @type {CustomEvent} */ (event).detail.state));
  await data.start(/** @type {any} */ ({}));
  await flush();
  assert.deepEqual([data.training.state, data.steps.total, jobs.jobs.length], ['running', 0, 1]);
  client.rows = [{ rank: 0 }, { rank: 1 }];
  client.change(1, 'running');
  jobs.change('1');
  await clock.advance(600);
  assert.equal(data.steps.total, 2);
  client.rows = [...client.rows, { rank: 2 }];
  client.change(1, 'done');
  jobs.end('1');
  await flush(); // without a pause
  assert.deepEqual([data.steps.total, data.steps.at(2).rank, ended], [3, 2, ['done']]);
  assert.equal(data.lines[0].state, 'done');
});

test('an old state that arrives late is not shown', async () => {
  const { data, jobs } = lab(['running']);
  await data.load(null);
  data.result = { ...data.training, version: 5, state: 'paused' };
  jobs.change('1'); // version 1, running
  await flush();
  assert.deepEqual([data.training.version, data.training.state], [5, 'paused']);
});

test('a training that changes all the time is read ten times a second', async () => {
  const { data, jobs, client, clock } = lab(['running']);
  await data.load(null);
  client.read = 0;
  for (let ms = 0; ms < 1000; ms += 10) {
    jobs.change('1');
    await clock.advance(10);
  }
  assert.equal(client.read, 10);
});

test('pauses, continues and keeps', async () => {
  const { data } = lab(['running']);
  await data.load(null);
  await data.act('pause');
  assert.equal(data.training.state, 'paused');
  await data.act('continue');
  assert.equal(data.training.state, 'running');
  await data.act('keep');
  assert.equal(data.training.state, 'kept');
});

test('resumes the open training or another one, which is opened', async () => {
  const { data, jobs } = lab(['interrupted', 'interrupted']);
  await data.load(null);
  await data.act('resume');
  assert.deepEqual([data.training.id, data.training.state, jobs.jobs.at(-1).id], [2, 'running', '2']);
  await data.act('resume', 1);
  assert.deepEqual([data.training.id, data.training.state, jobs.jobs.at(-1).id], [1, 'running', '1']);
});

test('cancelling leaves a training in the list, deleting does not', async () => {
  const { data, client } = lab(['running', 'done']);
  await data.load(null);
  await data.halt();
  assert.deepEqual([client.removed, data.training.id, data.lines.length], [[2], 2, 2]);
  await data.show(1);
  await data.remove(1);
  assert.deepEqual([data.training.id, data.lines.length], [2, 1]);
});

test('a start that is refused throws, and shows what was shown', async () => {
  const { data } = lab(['done']);
  await data.load(null);
  await assert.rejects(data.start(/** @type {any} */ ({ fails: true })), /no such file/);
  assert.deepEqual([data.training.id, data.isStarting], [1, false]);
});

test('says that the connection is lost, and reads the training again after it', async () => {
  const { data, jobs, client, clock } = lab(['running']);
  await data.load(null);
  const lost = [];
  data.addEventListener('change', () => lost.push(data.isLost));
  client.gone = true;
  jobs.change('1', { isLost: true });
  await clock.advance(1500);
  assert.deepEqual([data.isLost, lost], [true, [true]]);
  client.gone = false;
  client.change(1, 'paused');
  jobs.change('1', { isLost: false });
  await clock.advance(1100);
  assert.deepEqual([data.isLost, data.training.state], [false, 'paused']);
});

test('nothing is asked after the screen was left', async () => {
  const { data, jobs, client, clock } = lab(['running']);
  await data.load(null);
  await flush();
  const asked = [client.references.length, client.read];
  data.stop();
  client.change(1, 'paused');
  jobs.change('1');
  await clock.advance(5000);
  assert.deepEqual([client.references.length, client.read, data.training.state], [...asked, 'running']);
  await data.load(1);
  assert.equal(data.training.state, 'paused');
});

test('a training that was started while the screen was left is followed when it is shown again', async () => {
  const { data, jobs, client, clock } = lab(['done']);
  await data.load(null);
  let answer = () => {};
  client.answers = new Promise(resolve => {
    answer = () => resolve(undefined);
  });
  const started = data.start(/** @type {any} */ ({}));
  data.stop();
  answer();
  await started;
  const asked = [client.references.length, client.read];
  jobs.change('2');
  await clock.advance(5000);
  assert.deepEqual([client.references.length, client.read], asked, 'nothing is asked for a hidden screen');
  assert.deepEqual([jobs.jobs.length, data.lines[0].id], [1, 2], 'its job is among those of the lab');
  await data.load(null);
  client.change(2, 'paused');
  jobs.change('2');
  await clock.advance(200);
  assert.deepEqual([data.training.id, data.training.state], [2, 'paused']);
});

const drawingOf = (...tokenizers) => ({ tokenizers, letters: tokenizers.map((_, n) => 'AB'[n]) });

test('other tokenizers in use are measured on the held-out text as well', async () => {
  const { data, client, clock } = lab(['done']);
  data.drawing = drawingOf('gpt2');
  await data.load(null);
  await flush();
  data.drawing = drawingOf('gpt2', 'bert');
  data.drawing = drawingOf('gpt2', 'bert');
  await clock.advance(600);
  assert.deepEqual(client.references, ['gpt2', 'gpt2,bert']);
});

test('steps are known by their place from the first, whatever was read', async () => {
  const rows = Array.from({ length: 1000 }, (_, rank) => ({ rank }));
  const asked = [];
  const read = async ({ offset, limit, order }) => {
    asked.push([offset, order]);
    const list = order === 'newest' ? [...rows].reverse() : rows;
    return { total: rows.length, rows: list.slice(offset, offset + limit) };
  };
  let changed = 0;
  const steps = new Steps(read, () => changed++, assert.fail);
  assert.equal(await steps.readNewest(), true);
  assert.deepEqual([steps.total, steps.at(999).rank, steps.at(800).rank], [1000, 999, 800]);
  assert.equal(steps.at(10), null);
  assert.equal(steps.at(20), null);
  await flush();
  assert.deepEqual([steps.at(10).rank, changed, asked.length], [10, 1, 2]);
  assert.equal(await steps.readNewest(), false);
  rows.length = 300; // resumed from a checkpoint
  assert.equal(await steps.readNewest(), true);
  assert.deepEqual([steps.total, steps.at(299).rank, steps.at(10)], [300, 299, null]);
});

test('rows that could not be read are asked for again when the list is scrolled', async () => {
  let isBroken = true;
  const failed = [];
  const read = async ({ offset, limit }) => {
    if (isBroken) throw new Error('broken');
    return { total: 500, rows: Array.from({ length: limit }, (_, n) => ({ rank: offset + n })) };
  };
  const steps = new Steps(
    read,
    () => {},
    error => failed.push(error.message),
  );
  steps.at(3);
  await flush();
  assert.deepEqual([failed, steps.at(3)], [['broken'], null]);
  isBroken = false;
  steps.retry();
  steps.at(3);
  await flush();
  assert.equal(steps.at(3).rank, 3);
});
