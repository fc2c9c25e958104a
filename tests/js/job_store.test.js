import assert from 'node:assert/strict';
import test from 'node:test';
import { LabError } from '../../lab_ui/js/api/client.js';
import { JobStore } from '../../lab_ui/js/app/state/job_store.js';

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
  /** The connection that is open: one at most. @type {any} */
  const stream = { isOpen: false, made: 0 };
  const waits = [];
  const backend = { isThere: true, jobs: new Map(), asked: 0 };
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
    restartJob: id => answer(() => job(`again ${id}`, 'waiting')),
    watchJobs: (onJobs, onLost) => {
      assert.equal(stream.isOpen, false, 'one connection at a time');
      stream.made++;
      Object.assign(stream, { isOpen: true, report: (...jobs) => onJobs(jobs) });
      stream.lose = () => {
        stream.isOpen = false;
        onLost();
      };
      if (!backend.isThere) setImmediate(stream.lose);
      return () => {
        stream.isOpen = false;
      };
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
  const store = new JobStore(/** @type {any} */ (client), clock);
  return { store, backend, client, stream, waits, pass };
}

test('a job is shown until it has ended, and gives its result', async () => {
  const { store, stream } = fakes();
  const result = store.follow(job('1'));
  assert.deepEqual(
    store.jobs.map(({ id, isLost }) => [id, isLost]),
    [['1', false]],
  );
  stream.report(job('1', 'running', { done: 3 }));
  assert.equal(store.jobs[0].done, 3);
  stream.report(job('1', 'done', { result: { id: 'gpt2' } }));
  assert.deepEqual(await result, { id: 'gpt2' });
  assert.deepEqual([store.jobs, stream.isOpen], [[], false]);
});

test('a hundred jobs need one connection, which is made again for the next', async () => {
  const { store, backend, stream, waits } = fakes();
  const jobs = Array.from({ length: 100 }, (_, n) => job(`${n}`, n < 2 ? 'running' : 'waiting'));
  for (const one of jobs) backend.jobs.set(one.id, one);
  const results = jobs.map(one => store.follow(one));
  stream.report(...jobs);
  stream.report(...jobs.slice(50).map(one => ({ ...one, state: 'done', result: one.id })));
  stream.report(...jobs.slice(0, 50).map(one => ({ ...one, state: 'done', result: one.id })));
  assert.deepEqual(
    await Promise.all(results),
    jobs.map(({ id }) => id),
  );
  assert.deepEqual([stream.made, stream.isOpen, waits.length], [1, false, 0]);
  store.follow(job('next'));
  assert.deepEqual([stream.made, stream.isOpen], [2, true]);
});

test('a job that ended before it was followed has ended, whether the connection was open or not', async () => {
  const { store, backend, stream } = fakes();
  backend.jobs.set('1', job('1', 'done', { result: 7 }));
  const first = store.follow(job('1', 'waiting'));
  stream.report();
  assert.equal(await first, 7);
  const other = job('2');
  backend.jobs.set('2', other);
  store.follow(other);
  stream.report(other);
  stream.report(job('3', 'done', { result: 8 })); // nobody follows it yet
  backend.jobs.set('3', job('3', 'done', { result: 8 }));
  assert.equal(await store.follow(job('3', 'waiting')), 8);
});

test('an old answer does not replace what was reported since', async () => {
  const { store, backend, stream } = fakes();
  const old = job('1', 'waiting', { version: 1 });
  backend.jobs.set('0', job('0'));
  backend.jobs.set('1', old);
  store.follow(job('0'));
  stream.report(job('0'));
  store.follow(old);
  stream.report(job('1', 'running', { version: 2 }));
  await settled();
  assert.equal(store.jobs[1].state, 'running');
});

test('a job of which only the id is known is followed, once the backend answers', async () => {
  const { store, backend, stream, pass } = fakes();
  backend.jobs.set('1', job('1'));
  backend.isThere = false;
  const result = store.followById('1');
  await settled();
  backend.isThere = true;
  assert.equal(await pass(), 1000);
  assert.equal(store.jobs.length, 1);
  stream.report(job('1', 'done', { result: 7 }));
  assert.equal(await result, 7);
  await assert.rejects(store.followById('2'), { code: 'not_found' });
});

test('a failure is an error, a stop is none', async () => {
  const { store, stream } = fakes();
  const failed = store.follow(job('1'));
  stream.report(job('1', 'failed', { error: { code: 'x', message: 'no room', hint: 'make some' } }));
  await assert.rejects(failed, { code: 'x', message: 'no room', hint: 'make some' });
  const stopped = store.follow(job('2'));
  stream.report(job('2', 'cancelled'));
  assert.equal(await stopped, null);
});

test('jobs that were running before are found again', async () => {
  const { store, backend, stream } = fakes();
  for (const one of [job('1', 'done'), job('2'), job('3', 'waiting')]) backend.jobs.set(one.id, one);
  const ended = [];
  store.addEventListener('ended', event => ended.push(/** @type {CustomEvent} */ (event).detail));
  await store.resume();
  assert.deepEqual(
    store.jobs.map(({ id }) => id),
    ['2', '3'],
  );
  stream.report(job('2', 'done'));
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
  const { store, backend, stream, waits, pass } = fakes();
  const result = store.follow(job('1'));
  stream.report(job('1', 'running', { done: 3 }));
  backend.isThere = false;
  stream.lose();
  await settled();
  assert.equal(store.jobs[0].isLost, false, 'a connection may break for a moment');
  const waited = [];
  for (let n = 0; n < 7; n++) {
    waited.push(await pass());
    await settled();
  }
  assert.deepEqual(waited, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  assert.equal(store.jobs[0].isLost, true);
  backend.isThere = true;
  await pass();
  stream.report(job('1', 'running', { done: 5 }));
  assert.deepEqual([store.jobs[0].isLost, store.jobs[0].done], [false, 5]);
  assert.equal(waits.length, 0);
  stream.report(job('1', 'done', { result: 7 }));
  assert.equal(await result, 7);
});

test('a job that ended while the connection was lost has ended', async () => {
  const { store, backend, stream, pass } = fakes();
  const result = store.follow(job('1'));
  stream.report(job('1'));
  backend.jobs.set('1', job('1', 'done', { result: 8 }));
  stream.lose();
  await settled();
  await pass();
  stream.report();
  assert.equal(await result, 8);
});

test('a backend that was started anew does not know the job: it failed', async () => {
  const { store, stream, pass } = fakes();
  const result = store.follow(job('1'));
  stream.lose();
  await settled();
  const rejected = assert.rejects(result, { code: 'not_found', message: 'there is no job 1' });
  await pass();
  stream.report();
  await rejected;
  assert.deepEqual(store.jobs, []);
});

test('stopping a job ends the wait for its connection', async () => {
  const { store, backend, stream, waits } = fakes();
  const result = store.follow(job('1'));
  stream.lose();
  await settled();
  assert.equal(waits.length, 1);
  backend.jobs.set('1', job('1', 'cancelled'));
  await store.stop('1');
  await settled();
  stream.report();
  assert.equal(await result, null);
});

test('a job that was found running and is then waited for is followed once', async () => {
  const { store, backend, stream } = fakes();
  backend.jobs.set('1', job('1'));
  const ended = [];
  store.addEventListener('ended', event => ended.push(/** @type {CustomEvent} */ (event).detail.resumed));
  await store.resume();
  const results = [store.follow(job('1')), store.follow(job('1'))];
  assert.deepEqual([store.jobs.length, stream.made], [1, 1]);
  stream.report(job('1', 'done', { result: 7 }));
  await settled();
  assert.deepEqual([ended, store.jobs], [[false], []], 'the one who waits for it takes the result');
  assert.deepEqual(await Promise.all(results), [7, 7]);
});

test('what was interrupted is listed until it is started again or dismissed', async () => {
  const { store, backend } = fakes();
  const told = [];
  store.addEventListener('ended', event => told.push(event.detail.job.id));
  const left = (id, can_restart) => job(id, 'interrupted', { can_restart, error: { code: 'interrupted' } });
  for (const one of [left('1', true), left('2', true), left('3', false)]) backend.jobs.set(one.id, one);
  await store.resume();
  const ids = () => store.left.map(({ id }) => id);
  assert.deepEqual([ids(), told], [['1', '2'], ['3']]);
  await store.restart('1');
  assert.deepEqual([ids(), store.jobs.map(({ id }) => id)], [['2'], ['again 1']]);
  await store.stop('2');
  assert.deepEqual(ids(), []);
});

test('an interrupted job that is no longer known, or was started elsewhere, is offered no more', async () => {
  const { store, backend, client } = fakes();
  for (const id of ['1', '2', '3'])
    backend.jobs.set(id, job(id, 'interrupted', { can_restart: true, error: { code: 'interrupted' } }));
  await store.resume();
  const refused = code => () => Promise.reject(new LabError(code, 'refused'));
  client.stopJob = refused('not_found');
  await assert.rejects(store.stop('1'), { code: 'not_found' });
  client.restartJob = refused('conflict');
  await assert.rejects(store.restart('2'), { code: 'conflict' });
  client.restartJob = refused('offline');
  await assert.rejects(store.restart('3'), { code: 'offline' });
  assert.deepEqual(
    store.left.map(({ id }) => id),
    ['3'],
  );
});

test('a job that the page follows while the backend is started again is listed, too', async () => {
  const { store, backend, stream } = fakes();
  const following = store.follow(job('1'));
  backend.jobs.set(
    '1',
    job('1', 'interrupted', { can_restart: true, error: { code: 'interrupted', message: 'ended' } }),
  );
  stream.report();
  await assert.rejects(following, { code: 'interrupted' });
  assert.deepEqual(
    store.left.map(({ id }) => id),
    ['1'],
  );
});
