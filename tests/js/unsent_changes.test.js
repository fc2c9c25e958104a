import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EditorState } from '../../lab_ui/vendor/codemirror.js';
import { UnsentChanges } from '../../lab_ui/js/text/unsent_changes.js';
import { randomFrom } from './fake_lab.js';

/** A text and its edits since it was sent. */
class Sent {
  unsent = new UnsentChanges();
  constructor(text) {
    this.text = text;
    this.state = EditorState.create({ doc: text, extensions: [EditorState.lineSeparator.of('\n')] });
  }
  edit(from, to, insert) {
    const { changes, state } = this.state.update({ changes: { from, to, insert } });
    this.state = state;
    this.unsent.add(changes.desc);
  }
  /** The text as the backend has it after the edit is sent. */
  send() {
    const change = this.unsent.take(this.state.doc);
    if (change) this.text = this.text.slice(0, change.from) + change.insert + this.text.slice(change.to);
    return change;
  }
}

test('edits are sent as one range', () => {
  const sent = new Sent('one two three');
  assert.equal(sent.unsent.any, false);
  assert.equal(sent.send(), null);
  sent.edit(0, 3, '1');
  sent.edit(6, 11, '3');
  assert.deepEqual([sent.unsent.any, sent.unsent.units], [true, 3 + 1 + 5 + 1]);
  assert.deepEqual(sent.unsent.toSent({ from: 1, to: 6 }), { from: 3, to: 8 });
  assert.deepEqual(sent.unsent.toSent({ from: 2, to: 4 }), { from: 4, to: 6 });
  assert.deepEqual(sent.send(), { from: 0, to: 13, insert: '1 two 3' });
  assert.equal(sent.unsent.any, false);
});

test('half of a surrogate pair is never sent', () => {
  const sent = new Sent('a👩b');
  sent.edit(2, 3, '\udc68');
  assert.deepEqual(sent.send(), { from: 1, to: 3, insert: '👨' });
  sent.edit(1, 2, '\ud83e');
  assert.deepEqual(sent.send(), { from: 1, to: 3, insert: '\ud83e\udc68' });
});

test('whatever is edited, the backend gets the same text, and places map into the text it has', () => {
  const random = randomFrom(5);
  const letters = ['a', 'bc', '\n', '👩', '\ud83d', '\ude00', ''];
  const sent = new Sent('the first text');
  for (let n = 0; n < 1500; n++) {
    const { length } = sent.state.doc;
    const from = random(length + 1);
    sent.edit(from, Math.min(length, from + random(4)), letters[random(letters.length)]);
    const now = sent.state.doc.length;
    const range = sent.unsent.toSent({ from: random(now + 3) - 1.5, to: now + random(5) });
    assert.ok(range.from >= 0 && range.from <= range.to && range.to <= sent.text.length);
    if (random(3)) continue;
    sent.send();
    assert.equal(sent.text, sent.state.sliceDoc());
  }
});
