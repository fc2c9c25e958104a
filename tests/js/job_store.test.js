import assert from 'node:assert/strict';
import test from 'node:test';
import { LabError } from '../../lab_ui/js/api/client.js';
import { JobStore } from '../../lab_ui/js/app/job_store.js';

const job = (id, state = 'running', more = {}) => ({
  id,
  kind: 'fetch',
  title: id,
  state,
  result: null,
  error: null,
  ...more,
});
const gone = () => new LabError('backend_gone', 'does not answer');
/** Lets everything happen that waits for nothing but promises. */
const settled = () => new Promise(resolve => setImmediate(resolve));

/** A backend whose connections the test makes and breaks, and a clock that it moves. */
function fakes() {
  const watched = new Map();
  const waits = [];
  const backend = { isThere: true, jobs: new Map(), asked: 0, ended: 0 };
  const answer = async make => {
    backend.asked++;
    if (!backend.isThere) throw gone();
    return make();
  };
  const client = {
    listJobs: () => answer(() => [...backend.jobs.values()]),
    getJob: id =>
      answer(() => {
        if (!backend.jobs.has(id)) throw new LabError('not_found', `there is no job ${id}`);
        return backend.jobs.get(id);
      }),
    stopJob: id => answer(() => backend.jobs.get(id)),
    watchJob: (id, onJob, onLost) => {
      watched.set(id, { onJob, onLost });
      return () => backend.ended++;
    },
  };
  const clock = { setTimeout: (act, ms) => waits.push({ act, ms }) };
  /** Ends the oldest wait. @returns {Promise<number>} how long it would have been */
  const pass = async () => {
    const { act, ms } = waits.shift();
    act();
    await settled();
    return ms;
  };
  const store = new JobStore(client, clock);
  return { store, backend, watched, waits, pass };
}

test('a job is shown until it has ended, and gives its result', async () => {
  const { store, watched, backend } = fakes();
  const result = store.follow(job('1'));
  assert.deepEqual(
    store.jobs.map(({ id, isLost }) => [id, isLost]),
    [['1', false]],
  );
  watched.get('1').onJob(job('1', 'running', { done: 3 }));
  assert.equal(store.jobs[0].done, 3);
  watched.get('1').onJob(job('1', 'done', { result: { id: 'gpt2' } }));
  assert.deepEqual(await result, { id: 'gpt2' });
  assert.deepEqual([store.jobs, backend.ended], [[], 1]);
});

test('a failure is an error, a stop is none', async () => {
  const { store, watched } = fakes();
  const failed = store.follow(job('1'));
  watched.get('1').onJob(job('1', 'failed', { error: { code: 'x', message: 'no room', hint: 'make some' } }));
  await assert.rejects(failed, { code: 'x', message: 'no room', hint: 'make some' });
  const stopped = store.follow(job('2'));
  watched.get('2').onJob(job('2', 'cancelled'));
  assert.equal(await stopped, null);
});

test('jobs that were running before are found again', async () => {
  const { store, backend, watched } = fakes();
  for (const one of [job('1', 'done'), job('2'), job('3', 'waiting')]) backend.jobs.set(one.id, one);
  const ended = [];
  store.addEventListener('ended', event => ended.push(/** @type {CustomEvent} */ (event).detail));
  await store.resume();
  assert.deepEqual(
    store.jobs.map(({ id }) => id),
    ['2', '3'],
  );
  watched.get('2').onJob(job('2', 'done'));
  await settled();
  assert.deepEqual(
    ended.map(({ job, resumed }) => [job.id, resumed]),
    [['2', true]],
  );
});

test('jobs are looked for until the backend answers', async () => {
  const { store, backend, pass } = fakes();
  backend.jobs.set('1', job('1'));
  backend.isThere = false;
  const resumed = store.resume();
  await settled();
  assert.equal(await pass(), 1000);
  backend.isThere = true;
  assert.equal(await pass(), 2000);
  await resumed;
  assert.equal(store.jobs.length, 1);
});

test('a lost connection is shown, tried again after longer and longer waits, and taken up', async () => {
  const { store, backend, watched, waits, pass } = fakes();
  backend.jobs.set('1', job('1', 'running', { done: 5 }));
  const result = store.follow(job('1'));
  backend.isThere = false;
  watched.get('1').onLost();
  await settled();
  assert.equal(store.jobs[0].isLost, false, 'a connection may break for a moment');
  const waited = [];
  for (let n = 0; n < 7; n++) waited.push(await pass());
  assert.deepEqual(waited, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  assert.equal(store.jobs[0].isLost, true);
  backend.isThere = true;
  await pass();
  assert.deepEqual([store.jobs[0].isLost, store.jobs[0].done], [false, 5]);
  assert.equal(waits.length, 0);
  watched.get('1').onJob(job('1', 'done', { result: 7 }));
  assert.equal(await result, 7);
});

test('a job that ended while the connection was lost has ended', async () => {
  const { store, backend, watched, pass } = fakes();
  const result = store.follow(job('1'));
  backend.jobs.set('1', job('1', 'done', { result: 8 }));
  watched.get('1').onLost();
  await settled();
  await pass();
  assert.equal(await result, 8);
});

test('a backend that was started anew does not know the job: it failed', async () => {
  const { store, watched, pass } = fakes();
  const result = store.follow(job('1'));
  watched.get('1').onLost();
  await settled();
  const rejected = assert.rejects(result, { code: 'not_found', message: 'there is no job 1' });
  await pass();
  await rejected;
  assert.deepEqual(store.jobs, []);
});

test('stopping a job ends the wait for its connection', async () => {
  const { store, backend, watched, waits } = fakes();
  const result = store.follow(job('1'));
  watched.get('1').onLost();
  await settled();
  assert.equal(waits.length, 1);
  backend.jobs.set('1', job('1', 'cancelled'));
  await store.stop('1');
  assert.equal(await result, null);
});

test('a job that was found running and is then waited for is followed once', async () => {
  const { store, backend, watched } = fakes();
  backend.jobs.set('1', job('1'));
  const ended = [];
  store.addEventListener('ended', event => ended.push(/** @type {CustomEvent} */ (event).detail.resumed));
  await store.resume();
  const { onJob } = watched.get('1');
  const results = [store.follow(job('1')), store.follow(job('1'))];
  assert.deepEqual([store.jobs.length, watched.get('1').onJob === onJob], [1, true]);
  onJob(job('1', 'done', { result: 7 }));
  await settled();
  assert.deepEqual([ended, backend.ended, store.jobs], [[false], 1, []], 'the one who waits for it takes the result');
  assert.deepEqual(await Promise.all(results), [7, 7]);
});
