/** Comparing a tokenizer with reference libraries: what is asked, what is said, what stays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './page.js';

const { ConformanceCheck } = await import('../../lab_ui/js/screens/library/conformance_check.js');

const SPM = { name: 'sentencepiece', version: '0.2.1', install: null, misfit: 'sentencepiece reads one .model file' };
const TIKTOKEN = { name: 'tiktoken', version: null, install: 'pip install tiktoken', misfit: null };
const TOKENIZERS = { name: 'tokenizers', version: '0.22.1', install: null, misfit: null };
const texts = (documents, different) => ({ source: 'generated texts', documents, bytes: 5000, different });
const SAME = {
  tokenizer: 'gpt2',
  same: true,
  against: [{ reference: 'tokenizers', version: '0.22.1', compared: [texts(2012, 0)], smallest: [] }],
};
const DIFFERENT = {
  tokenizer: 'gpt2',
  same: false,
  against: [
    {
      reference: 'tokenizers',
      version: '0.22.1',
      compared: [texts(2012, 3)],
      smallest: [{ text: '\u202e<b>', ours: [1, 2], theirs: null, problem: 'PanicException: no' }],
    },
  ],
};

/** The element in the page. @param {any[]} references @param {any} last @param {any} result of a check */
async function shown(references, last = null, result = SAME) {
  const client = {
    listReferences: async () => ({ references, last }),
    startConformance: async () => {
      if (result instanceof Error) throw result;
      last = { created_at: '2026-11-29T10:00:00+00:00', result };
      return { kind: 'conformance' };
    },
  };
  const jobs = /** @type {any} */ (new EventTarget());
  jobs.follow = async job => jobs.dispatchEvent(new CustomEvent('ended', { detail: { job } }));
  const element = new ConformanceCheck('gpt2', /** @type {any} */ (client), jobs);
  document.body.replaceChildren(element);
  await settled();
  return element;
}
const settled = () => new Promise(resolve => setTimeout(resolve));
const status = element => element.querySelector('[role=status]').textContent;

test('who can be asked is named, and why the others are not', async () => {
  const element = await shown([SPM, TIKTOKEN, TOKENIZERS]);
  assert.equal(element.querySelector('button').textContent, 'Check against tokenizers');
  assert.match(status(element), /Not checked yet/);
  assert.match(element.textContent, /tiktoken is not installed. Install it with: pip install tiktoken/);
  assert.match(element.textContent, /sentencepiece reads one .model file/);
});

test('without a library there is no button', async () => {
  const element = await shown([SPM, TIKTOKEN]);
  assert.ok(element.querySelector('button').hidden);
  assert.match(status(element), /No reference library/);
});

test('a check says what it compared, and the button stays to check again', async () => {
  const element = await shown([TOKENIZERS]);
  const button = element.querySelector('button');
  button.click();
  assert.equal(button.textContent, 'Checking…');
  await settled();
  assert.match(status(element), /^Same IDs as tokenizers 0.22.1 for 2.012 texts, 5.kB\. 29 Nov 2026/);
  assert.equal(element.querySelector('button'), button);
  assert.equal(button.textContent, 'Check again against tokenizers');
});

test('texts that differ are shown as they are spelled', async () => {
  const element = await shown([TOKENIZERS], { created_at: '2026-11-29T10:00:00+00:00', result: DIFFERENT });
  assert.match(status(element), /^Other IDs for some of 2.012 texts: 3 from tokenizers/);
  const cells = [...element.querySelectorAll('tbody tr > *')].map(cell => cell.textContent);
  assert.deepEqual(cells, ['RLO<b>', '1 2', 'PanicException: no']);
  assert.equal(element.querySelector('b'), null);
});

test('a check that fails says why', async () => {
  const element = await shown([TOKENIZERS], null, Object.assign(new Error('no room'), { hint: 'Wait' }));
  element.querySelector('button').click();
  await settled();
  assert.match(element.querySelector('[role=alert]').textContent, /No room\. Wait/);
});
