import assert from 'node:assert/strict';
import test from 'node:test';
import { LabState } from '../../lab_ui/js/app/lab_state.js';
import { permalink, readPermalink } from '../../lab_ui/js/app/permalink.js';

const USUAL = new LabState();
const stateWith = patch => {
  const state = new LabState();
  state.set(patch);
  return state;
};

test('what is usual is not said', () => {
  assert.equal(permalink(stateWith({}), 'inspect', USUAL), '#/inspect');
  assert.equal(permalink(stateWith({ chosen: ['gpt2'] }), 'inspect', USUAL), '#/inspect?t=gpt2');
});

test('an address says the same when it is read', () => {
  const state = stateWith({
    chosen: ['gpt2', 'my-own_1'],
    active: 'my-own_1',
    baseline: 'gpt2',
    specials: 'reject',
    addSpecialTokens: false,
    ignoreSpaces: false,
    showIds: false,
    inspectView: 'table',
    colourBy: 'grey',
    showCuts: true,
    cutEvery: 128,
  });
  const text = 'a & b?\n日本語 #/x=%41 👩‍🔬 <script>';
  const { screen, values, text: read } = readPermalink(permalink(state, 'compare', USUAL, text));
  assert.equal(screen, 'compare');
  assert.equal(read, text);
  const again = new LabState();
  again.accept(values);
  for (const name of [
    'chosen',
    'active',
    'baseline',
    'specials',
    'addSpecialTokens',
    'ignoreSpaces',
    'showIds',
    'showWhiteSpace',
    'inspectView',
    'colourBy',
    'showCuts',
    'cutEvery',
  ])
    assert.deepEqual(again[name], state[name], name);
});

test('long texts and halves of characters stay out', () => {
  assert.equal(readPermalink(permalink(stateWith({ chosen: ['a'] }), 'inspect', USUAL, 'x'.repeat(2001))).text, null);
  assert.equal(readPermalink(permalink(stateWith({ chosen: ['a'] }), 'inspect', USUAL, '\ud83d')).text, null);
});

test('an address without words changes nothing, one with wrong words only what is right', () => {
  assert.deepEqual(readPermalink('#/inspect'), { screen: 'inspect', values: null, text: null });
  assert.deepEqual(readPermalink(''), { screen: '', values: null, text: null });
  const state = new LabState();
  state.accept(readPermalink('#/inspect?specials=never&view=nothing&add=maybe&ids=0&colour=red&every=0.5').values);
  assert.equal(state.specials, 'text');
  assert.equal(state.inspectView, 'text');
  assert.equal(state.addSpecialTokens, true);
  assert.equal(state.showIds, false);
  assert.equal(state.cutEvery, 512);
  assert.equal(state.colourBy, 'position');
});

test('no more than eight tokenizers, each once', () => {
  const { values } = readPermalink(`#/compare?${[...'aabcdefghijk'].map(id => `t=${id}`).join('&')}`);
  assert.deepEqual(values.chosen, [...'abcdefgh']);
});
