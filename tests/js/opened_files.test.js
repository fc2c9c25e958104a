import assert from 'node:assert/strict';
import test from 'node:test';
import { OpenedFiles } from '../../lab_ui/js/app/files/opened_files.js';

const file = (kind, more) => ({
  name: 'a',
  kind,
  text: null,
  encoding: null,
  tokenizer: null,
  job: null,
  problem: null,
  ...more,
});

/** Opens files on a screen, and gives what was done with each part of the lab, in order. */
async function open(files, { showsText = true, corpus = { id: 'news', columns: [] } } = {}) {
  const done = [];
  const note =
    what =>
    (...values) => {
      done.push([what, ...values]);
    };
  const context = /** @type {any} */ ({
    activity: { track: work => work },
    session: { setText: note('text') },
    catalog: {
      async renew(id) {
        if (id === 'ninth') throw Object.assign(new Error('eight are in use'), { hint: 'Remove one.' });
        done.push(['tokenizer', id]);
      },
    },
    settings: { set: note('settings') },
    jobs: { follow: async () => corpus },
    router: { go: note('go') },
  });
  const dialog = { addFiles: async ([rank]) => done.push(['rank file', rank.name, await rank.text()]) };
  const status = {
    shown: { startProgress: () => () => {} },
    announce: note('said'),
    showSticky: ({ message, hint }) => done.push(['problem', message, hint]),
  };
  const client = { openWaitingFiles: async () => files };
  await new OpenedFiles(
    context,
    { screen: { showsText } },
    /** @type {any} */ (dialog),
    /** @type {any} */ (status),
    client,
  ).open();
  return done;
}

test('a text stays on a screen that shows it, and opens Inspect from another', async () => {
  const text = file('text', { text: 'hi', encoding: 'UTF-8' });
  const set = ['text', 'hi', { name: 'a', encoding: 'UTF-8' }];
  assert.deepEqual(await open([text]), [set, ['said', 'a opened']]);
  assert.deepEqual(await open([text], { showsText: false }), [set, ['go', 'inspect'], ['said', 'a opened']]);
});

test('a corpus is shown when it is added, a table with the columns that were taken', async () => {
  const corpus = file('corpus', { job: { id: '1' } });
  assert.deepEqual(await open([corpus]), [
    ['go', 'corpus', { corpus: 'news' }],
    ['said', 'a opened'],
  ]);
  assert.deepEqual((await open([corpus], { corpus: { id: 'news', columns: ['text'] } })).slice(0, 2), [
    ['settings', { showPanel: true }],
    ['go', 'corpus', { corpus: 'news', side: 'settings' }],
  ]);
  assert.deepEqual(await open([corpus], { corpus: null }), []);
});

test('a tokenizer is put to use; a rank file asks for its pattern as a dropped one does', async () => {
  assert.deepEqual(await open([file('tokenizer', { tokenizer: 'mine' }), file('rank file', { text: 'IQ== 0\n' })]), [
    ['tokenizer', 'mine'],
    ['settings', { active: 'mine' }],
    ['rank file', 'a', 'IQ== 0\n'],
    ['said', 'a and a opened'],
  ]);
});

test('what goes wrong with one file is said once, and the others are opened', async () => {
  const problem = file('problem', { problem: { message: 'a is gone', hint: 'Look.' } });
  const text = file('text', { text: 'hi', encoding: 'UTF-8' });
  const ninth = file('tokenizer', { tokenizer: 'ninth' });
  assert.deepEqual(await open([problem]), [['problem', 'a is gone', 'Look.']]);
  assert.deepEqual((await open([problem, ninth, text])).slice(1), [
    ['said', 'a opened'],
    ['problem', '2 of 3 files could not be opened: a is gone; eight are in use', 'Look. Remove one.'],
  ]);
});
