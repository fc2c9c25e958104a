import assert from 'node:assert/strict';
import test from 'node:test';
import { Settings } from '../../lab_ui/js/app/state/settings.js';
import { SETTINGS, TEXT } from '../../lab_ui/js/screens/train/settings.js';
import { TrainPlan } from '../../lab_ui/js/screens/train/train_plan.js';
import { FakeClock, flush } from './fake_lab.js';

const BPE = { algorithm: 'bpe', vocab_size: 8192, alphabet: 'bytes', special_tokens: [] };
const OFFERED = /** @type {any} */ ({
  presets: [{ name: 'gpt2', title: 'GPT-2', words: '', options: BPE }],
  practice: [{ name: 'topics', title: 'Python', bytes: 500_000 }],
});
const SHOWN = { isBusy: false, isShown: true };

function planned() {
  const settings = new Settings();
  settings.define('train', SETTINGS);
  const asked = [];
  const showEstimate = (estimate, words) => Object.assign(form, { estimate, words });
  const form = {
    shown: /** @type {any} */ (null),
    estimate: undefined,
    words: '',
    isSound: true,
    show: shown => (form.shown = shown),
    showEstimate,
  };
  const client = {
    error: null,
    async estimateTraining(body) {
      asked.push(body);
      if (client.error) throw client.error;
      return { text_bytes: 5, seconds: 1, memory_bytes: 2, basis: 'a sample' };
    },
    uploadCorpus: async () => ({ id: 'mine' }),
    listCorpora: async () => [{ id: 'mine', title: 'Mine', bytes: 3 }],
  };
  const clock = new FakeClock();
  const plan = new TrainPlan(settings, /** @type {any} */ (client), /** @type {any} */ (form), clock);
  plan.offered = OFFERED;
  const rested = async () => {
    await flush();
    await clock.advance(400);
  };
  return { plan, form, client, asked, rested };
}

test('the setup is estimated once it rests, and not again while it is the same', async () => {
  const { plan, form, asked, rested } = planned();
  plan.draw(SHOWN);
  plan.set({ size: 500 });
  plan.draw(SHOWN);
  plan.draw(SHOWN);
  assert.deepEqual([form.estimate, form.words], [null, 'Estimating…']);
  await rested();
  assert.deepEqual([asked.length, asked[0].options.vocab_size], [1, 500]);
  assert.equal(/** @type {any} */ (form.estimate).seconds, 1);
  plan.set({ name: 'Another name' });
  plan.draw(SHOWN);
  await rested();
  assert.equal(asked.length, 1);
});

test('nothing is estimated for a setup that cannot be, nor for one that nobody sees', async () => {
  const { plan, form, asked, rested } = planned();
  plan.set({ source: TEXT });
  plan.draw(SHOWN);
  plan.set({ source: null });
  plan.draw({ isBusy: false, isShown: false });
  await rested();
  assert.deepEqual([asked.length, form.estimate], [0, null]);
  assert.equal(plan.isSound, true);
});

test('nothing is started while a field holds what is no value', () => {
  const { plan, form } = planned();
  form.isSound = false; // the size is not a number
  assert.equal(plan.isSound, false);
  form.isSound = true;
  plan.set({ details: { min_frequency: 'many' } });
  assert.equal(plan.isSound, false);
  plan.set({ details: { min_frequency: 4 } });
  assert.equal(plan.isSound, true);
});

test('a refusal names options as the form does', () => {
  const { plan, form } = planned();
  plan.refuse(new Error('min_frequency cannot be -1'));
  plan.draw(SHOWN);
  assert.equal(form.shown.problems.details, '“Minimum count” cannot be -1.');
});

test('what the backend refuses is said in its place, until the setup changes', async () => {
  const { plan, form, client, rested } = planned();
  client.error = Object.assign(new Error('there is no file /nowhere'), { hint: 'check the path' });
  plan.draw(SHOWN);
  await rested();
  assert.deepEqual(form.shown.problems, { source: 'There is no file /nowhere. Check the path.' });
  assert.equal(form.words, undefined, 'it no longer says that it estimates');
  plan.forgive();
  plan.draw(SHOWN);
  assert.deepEqual(form.shown.problems, {});
});

test('files that are dropped become a corpus, which is chosen', async () => {
  const { plan } = planned();
  await plan.upload([]);
  assert.deepEqual(plan.body.sources, [{ kind: 'corpus', name: 'mine' }]);
});

test('the first setup does not depend on what was changed', () => {
  const { plan } = planned();
  plan.set({ size: 500, source: TEXT });
  assert.deepEqual([plan.first.body.options, plan.first.body.sources[0].name, plan.first.problem], [{}, 'topics', '']);
  plan.offered = { ...OFFERED, practice: [] };
  assert.match(plan.first.problem, /no practice corpus/);
});
