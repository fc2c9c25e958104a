import assert from 'node:assert/strict';
import test from 'node:test';
import { CorpusData } from '../../lab_ui/js/screens/corpus/corpus_data.js';

const NOTHING = { corpus: null, analysis: null, before: null };

/** The corpora and analyses of a lab whose jobs end when the test says so. */
function lab({ analyses = [] } = {}) {
  const corpora = ['udhr', 'python'].map(id => ({ id, title: id }));
  const lines = [...analyses];
  const asked = [];
  const jobs = Object.assign(new EventTarget(), {
    jobs: [],
    stopped: [],
    end: /** @type {(result: any) => void} */ (() => {}),
    follow(job) {
      this.jobs = [job];
      this.dispatchEvent(new Event('change'));
      return new Promise((resolve, reject) => {
        this.end = result => {
          this.jobs = [];
          this.dispatchEvent(new Event('change'));
          if (result instanceof Error) reject(result);
          else resolve(result);
        };
      });
    },
    async stop(id) {
      this.stopped.push(id);
    },
  });
  const client = {
    listCorpora: async () => [...corpora],
    listAnalyses: async () => [...lines],
    getAnalysis: async id => ({ id, corpus: { id: lines.find(line => line.id === id).corpus } }),
    startAnalysis: async options => {
      asked.push(options);
      return { id: 'job', kind: 'analysis' };
    },
    removeAnalysis: async id => {
      lines.splice(
        lines.findIndex(line => line.id === id),
        1,
      );
    },
    removeCorpus: async id => {
      corpora.splice(
        corpora.findIndex(corpus => corpus.id === id),
        1,
      );
    },
  };
  const data = new CorpusData(/** @type {any} */ (jobs), new AbortController().signal, /** @type {any} */ (client));
  return { data, jobs, client, lines, asked };
}

const settled = () => new Promise(resolve => setTimeout(resolve));

test('opens on the first corpus, or on the newest analysis', async () => {
  const { data } = lab();
  await data.load(NOTHING);
  assert.deepEqual([data.corpus.id, data.analysis], ['udhr', null]);
  const other = lab({
    analyses: [
      { id: 2, corpus: 'python' },
      { id: 1, corpus: 'udhr' },
    ],
  });
  await other.data.load(NOTHING);
  assert.deepEqual([other.data.corpus.id, other.data.analysis.id], ['python', 2]);
  await other.data.choose('udhr');
  assert.equal(other.data.analysis.id, 1);
});

test('an address that names what is gone says so, and shows what is here', async () => {
  const { data } = lab({ analyses: [{ id: 1, corpus: 'udhr' }] });
  const { missing } = await data.load({ corpus: 'gone', analysis: 7, before: 8 });
  assert.deepEqual(missing, ['analysis 7', 'corpus gone']);
  assert.deepEqual([data.corpus.id, data.analysis.id, data.before], ['udhr', 1, null]);
});

test('an analysis is shown when it ends, unless another corpus was chosen meanwhile', async () => {
  const { data, jobs, lines, asked } = lab();
  await data.load(NOTHING);
  for (const isLeft of [false, true]) {
    const work = data.analyze(['gpt2'], { sample_bytes: 5 });
    assert.ok(data.isBusy);
    assert.equal(await data.analyze(['gpt2'], {}), null, 'one at a time');
    await settled();
    assert.equal(data.job.id, 'job');
    if (isLeft) await data.choose('python');
    lines.unshift({ id: lines.length + 1, corpus: 'udhr' });
    jobs.end({ id: lines.length });
    const analysis = await work;
    assert.equal(analysis?.id ?? null, isLeft ? null : 1);
    assert.equal(data.analysis?.id ?? null, isLeft ? null : 1);
    assert.ok(!data.isBusy);
  }
  assert.deepEqual(asked[0], { corpus: 'udhr', tokenizers: ['gpt2'], sample_bytes: 5 });
  assert.equal(data.lines.length, 2, 'the one that is not shown is in the list');
});

test('an analysis that fails or is stopped leaves what was shown', async () => {
  const { data, jobs } = lab({ analyses: [{ id: 1, corpus: 'udhr' }] });
  await data.load(NOTHING);
  const failing = data.analyze(['gpt2'], {});
  await settled();
  jobs.end(new Error('the file changed'));
  await assert.rejects(failing, /the file changed/);
  const stopping = data.analyze(['gpt2'], {});
  await settled();
  await data.cancel();
  jobs.end(null);
  assert.equal(await stopping, null);
  assert.deepEqual(jobs.stopped, ['job']);
  assert.equal(data.analysis.id, 1);
});

test('an analysis found again after a reload is shown when it ends', async () => {
  const { data, lines } = lab();
  await data.load(NOTHING);
  lines.push({ id: 5, corpus: 'udhr' });
  await data.takeResumed({ result: { id: 5 } });
  assert.equal(data.analysis.id, 5);
});

test('an analysis of a corpus that was removed names no other corpus', async () => {
  const { data } = lab({
    analyses: [
      { id: 2, corpus: 'gone' },
      { id: 1, corpus: 'python' },
    ],
  });
  await data.load({ ...NOTHING, analysis: 2 });
  assert.deepEqual([data.corpus, data.analysis.id], [null, 2]);
  await data.show(1);
  assert.equal(data.corpus.id, 'python');
  await data.show(2);
  await data.remove(2);
  assert.deepEqual([data.corpus.id, data.analysis], ['udhr', null]);
});

test('a deleted analysis gives way to the one before it, a removed corpus to the first', async () => {
  const { data } = lab({
    analyses: [
      { id: 3, corpus: 'python' },
      { id: 2, corpus: 'python' },
      { id: 1, corpus: 'python' },
    ],
  });
  await data.load({ ...NOTHING, analysis: 3, before: 2 });
  assert.deepEqual([data.analysis.id, data.before], [3, 2]);
  await data.remove(2);
  assert.deepEqual([data.analysis.id, data.before], [3, null]);
  await data.remove(3);
  assert.equal(data.analysis.id, 1);
  await data.removeCorpus('python');
  assert.deepEqual([data.corpus.id, data.analysis], ['udhr', null]);
});
