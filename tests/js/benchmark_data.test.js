import assert from 'node:assert/strict';
import test from 'node:test';
import { BenchmarkData } from '../../lab_ui/js/screens/benchmark/benchmark_data.js';

const NOTHING = { run: null, before: null };

/** The runs of a lab whose jobs end when the test says so. */
function lab({ lines = [] } = {}) {
  const kept = lines.map(id => ({ id, state: 'done' }));
  const jobs = Object.assign(new EventTarget(), {
    jobs: /** @type {any[]} */ ([]),
    stopped: [],
    end: /** @type {(result: any) => void} */ (() => {}),
    follow(job) {
      this.report(job);
      return new Promise((resolve, reject) => {
        this.end = result => {
          this.jobs = [];
          this.dispatchEvent(new Event('change'));
          if (result instanceof Error) reject(result);
          else resolve(result);
        };
      });
    },
    report(job) {
      this.jobs = [job];
      this.dispatchEvent(new Event('change'));
    },
    async stop(id) {
      this.stopped.push(id);
    },
  });
  const asked = [];
  const client = {
    listBenchmarks: async () => [...kept],
    getBenchmark: async id => {
      asked.push(id);
      return { ...kept.find(line => line.id === id) };
    },
    startBenchmark: async () => ({ id: 'job', kind: 'benchmark', message: '', result: null }),
    repeatBenchmark: async () => ({ id: 'job', kind: 'benchmark', message: '', result: null }),
    compareBenchmarks: async (before, after) => ({ before, after }),
    removeBenchmark: async id => {
      kept.splice(
        kept.findIndex(line => line.id === id),
        1,
      );
    },
  };
  const data = new BenchmarkData(/** @type {any} */ (jobs), new AbortController().signal, /** @type {any} */ (client));
  return { data, jobs, kept, asked };
}

const settled = () => new Promise(resolve => setTimeout(resolve));

test('opens on the newest run, or on the one that is asked for with the one before', async () => {
  const { data } = lab({ lines: [3, 2, 1] });
  assert.deepEqual(await data.load(NOTHING), { missing: [] });
  assert.equal(data.run.id, 3);
  assert.deepEqual(await data.load({ run: 2, before: 1 }), { missing: [] });
  assert.deepEqual([data.run.id, data.before], [2, 1]);
  assert.deepEqual(await data.load({ run: 9, before: 8 }), { missing: ['run 9', 'run 8'] });
  assert.deepEqual([data.run.id, data.before], [3, null]);
});

test('a run that was removed while it ran is not opened when it ends', async () => {
  const { data, jobs, kept, asked } = lab({ lines: [1] });
  await data.load(NOTHING);
  const started = data.start(/** @type {any} */ ({}));
  await settled();
  kept.unshift({ id: 2, state: 'running' });
  await data.remove(2);
  asked.length = 0;
  jobs.end({ id: 2 });
  assert.equal(await started, null);
  assert.deepEqual([data.run.id, asked], [1, []]);
});

test('a run is read again after each round, and shown when it has ended', async () => {
  const { data, jobs, kept, asked } = lab({ lines: [1] });
  await data.load(NOTHING);
  const started = data.start(/** @type {any} */ ({}));
  await settled();
  assert.ok(data.isBusy);
  assert.equal(await data.start(/** @type {any} */ ({})), null, 'one at a time');
  kept.unshift({ id: 2, state: 'running' });
  const job = { id: 'job', kind: 'benchmark', result: { id: 2 } };
  jobs.report({ ...job, message: 'round 1 of 3' });
  await settled();
  assert.deepEqual([data.run.id, data.run.state], [2, 'running']);
  jobs.report({ ...job, message: 'round 1 of 3' });
  await settled();
  assert.equal(asked.filter(id => id === 2).length, 1, 'nothing new was said');
  jobs.report({ ...job, message: 'round 2 of 3' });
  await settled();
  assert.equal(asked.filter(id => id === 2).length, 2);
  kept[0].state = 'done';
  jobs.end({ id: 2 });
  assert.equal((await started).state, 'done');
  assert.equal(data.run.state, 'done');
  assert.ok(!data.isBusy);
});

test('a run that was cancelled is shown with what it has', async () => {
  const { data, jobs, kept } = lab({ lines: [1] });
  await data.load(NOTHING);
  const started = data.start(/** @type {any} */ ({}));
  await settled();
  await data.cancel();
  assert.deepEqual(jobs.stopped, ['job']);
  kept.unshift({ id: 2, state: 'cancelled' });
  jobs.end(null);
  assert.equal((await started).state, 'cancelled');
  assert.equal(data.run.id, 2);
});

test('another run that was opened meanwhile stays', async () => {
  const { data, jobs, kept } = lab({ lines: [2, 1] });
  await data.load(NOTHING);
  const started = data.repeat();
  await settled();
  kept.unshift({ id: 3, state: 'running' });
  jobs.report({ id: 'job', kind: 'benchmark', message: 'round 1 of 3', result: { id: 3 } });
  await settled();
  await data.show(1);
  jobs.report({ id: 'job', kind: 'benchmark', message: 'round 2 of 3', result: { id: 3 } });
  await settled();
  assert.equal(data.run.id, 1);
  jobs.end({ id: 3 });
  assert.equal(await started, null);
  assert.equal(data.run.id, 1);
});

test('what fails is thrown, and the screen can start again', async () => {
  const { data, jobs } = lab();
  await data.load(NOTHING);
  const started = data.start(/** @type {any} */ ({}));
  await settled();
  jobs.end(new Error('no memory'));
  await assert.rejects(started, /no memory/);
  assert.ok(!data.isBusy);
});

test('a run that is removed is replaced by the newest, and compared no longer', async () => {
  const { data } = lab({ lines: [3, 2, 1] });
  await data.load({ run: 3, before: 1 });
  await data.remove(1);
  assert.deepEqual([data.run.id, data.before], [3, null]);
  await data.remove(3);
  assert.equal(data.run.id, 2);
});
