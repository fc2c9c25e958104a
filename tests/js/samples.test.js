import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SAMPLES, sampleOf } from '../../lab_ui/js/text/samples.js';
import { TextSession } from '../../lab_ui/js/text/session.js';

test('a new lab begins with one sentence and one line of Japanese', () => {
  assert.equal(SAMPLES[0].text, "Tokenization isn't neutral: unaffordable words fall apart.\n東京の寿司は高い。");
  const ids = SAMPLES.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(ids.slice(0, 4), ['first', 'code', 'numbers', 'emoji'], 'those with a chip of their own');
});

test('a text is the sample it equals, and no other', () => {
  const session = new TextSession();
  for (const sample of SAMPLES) {
    session.setText(sample.text);
    assert.equal(sampleOf(session.doc), sample);
    session.setText(`${sample.text.slice(0, -1)}?`);
    assert.equal(sampleOf(session.doc), undefined, `${sample.id} with another end`);
  }
  session.setText('');
  assert.equal(sampleOf(session.doc), undefined);
});

test('a long text is not read to find out that it is no sample', () => {
  const doc = {
    length: 10_000_000,
    toString() {
      throw new Error('read');
    },
  };
  assert.equal(sampleOf(doc), undefined);
});
