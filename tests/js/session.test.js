import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextSession, LONG } from '../../lab_ui/js/text/session.js';
import { FakeClient, FakeClock, FakeEditor, flush, randomFrom, tokenize } from './fake_lab.js';
import { scaled } from './scale.js';

const OPTIONS = { addSpecialTokens: true, specials: 'text', ignoreSpaces: null };
const wish = (tokenizers, options = {}) => ({ tokenizers, options: { ...OPTIONS, ...options } });
const words = (n, word = 'word') => Array.from({ length: n }, (_, at) => `${word}${at}`).join(' ');

function lab() {
  const client = new FakeClient();
  const clock = new FakeClock();
  const session = new TextSession({ client, clock });
  return { client, clock, session };
}

/** An editor that is shown, on a text. */
function shown(text, wanted = wish(['4'])) {
  const parts = lab();
  parts.session.setText(text);
  const editor = new FakeEditor(parts.session);
  editor.encoding.want(wanted);
  editor.show();
  return { ...parts, editor };
}

async function answerAll({ client, clock }) {
  for (let n = 0; n < 1000; n++) {
    await flush();
    if (client.requests.length) client.requests[0].answer();
    else if (clock.waiting) await clock.advance(50);
    else return;
  }
  assert.fail('it never comes to an end');
}

const idsOf = tokens => Array.from(tokens.ids.all());
const idsWanted = (text, id, options = OPTIONS) => tokenize(text, id, options).map(token => token.id);

/** Every token that no edit touched is drawn over the text whose id it has. */
function assertInPlace(editor) {
  const { picture, state } = editor;
  if (!picture) return;
  const { answer, pending } = picture;
  const inverse = pending?.invertedDesc;
  answer.tokens.forEach((tokens, n) => {
    const { addSpecialTokens } = picture.options;
    const id = answer.tokenizers[n];
    for (let i = 0; i < tokens.length; i++) {
      const from = tokens.start16.at(i);
      const to = tokens.end16.at(i);
      if (pending?.touchesRange(from, to)) continue;
      const at = pending ? pending.mapPos(from, 1) : from;
      const slice = state.sliceDoc(at, at + to - from);
      const [only] = tokenize(slice, id, { addSpecialTokens });
      assert.equal(tokens.ids.at(i), only?.id, `token ${i} of ${id} at ${at} over ${JSON.stringify(slice)}`);
    }
    assert.ok(!inverse || inverse.length === state.doc.length);
  });
}

test('a short text is sent whole, and only the newest answer counts', async () => {
  const { client, clock, editor, session } = shown('one two three');
  await flush();
  assert.deepEqual(
    client.requests.map(({ kind }) => kind),
    ['whole'],
  );
  editor.dispatch({ changes: { from: 0, insert: 'x' } });
  await flush();
  assert.equal(client.requests.length, 1, 'the older request is aborted');
  await answerAll({ client, clock });
  assert.deepEqual(idsOf(editor.picture.answer.tokens[0]), idsWanted('xone two three', '4'));
  assert.equal(editor.encoding.isCurrent, true);
  assert.equal(String(editor.picture.answer.text), session.text);
});

test('a long text is opened once and then edited, its viewport first', async () => {
  const { client, clock, editor } = shown(words(6000));
  await flush();
  assert.deepEqual(
    client.requests.map(({ kind }) => kind),
    ['excerpt'],
  );
  client.requests[0].answer();
  await flush();
  assert.equal(editor.picture.isPart, true);
  assert.deepEqual(
    client.requests.map(({ kind }) => kind),
    ['open'],
  );
  await answerAll({ client, clock });
  assert.equal(editor.picture.isPart, false);
  editor.dispatch({ changes: { from: 5, insert: 'typed' } });
  await flush();
  assert.deepEqual(
    client.requests.map(({ kind }) => kind),
    ['edit'],
  );
  editor.dispatch({ changes: { from: 0, insert: 'more' } });
  assertInPlaceWith(editor, OPTIONS);
  client.requests[0].answer();
  await flush();
  assert.equal(editor.picture.isCurrent, false, 'the second edit is under way');
  assertInPlaceWith(editor, OPTIONS);
  await answerAll({ client, clock });
  assert.equal(editor.picture.isCurrent, true);
  assert.deepEqual(idsOf(editor.picture.answer.tokens[0]), idsWanted(editor.state.sliceDoc(), '4'));
  assert.equal(client.kept.size, 1);
});

test('an edit of an open text is sent before its editor drew it, all else waits', async () => {
  const parts = shown(words(6000));
  const { client, editor, session } = parts;
  const told = [];
  for (const type of ['typed', 'edit']) session.addEventListener(type, () => told.push(type));
  const take = insert => {
    const transaction = editor.state.update({ changes: { from: 5, insert } });
    editor.state = transaction.state;
    return session.takeEarly([transaction], editor.state.doc, editor);
  };
  const kinds = () => client.requests.map(({ kind }) => kind);
  const opened = take('not open yet');
  assert.deepEqual(kinds(), ['excerpt'], 'what asks the editor where its text is waits');
  opened();
  await answerAll(parts);
  told.length = 0;
  const tell = take('typed');
  assert.deepEqual([kinds(), told], [['edit'], ['typed']]);
  assert.equal(session.doc, editor.state.doc, 'the text is there once');
  tell();
  assert.deepEqual([kinds(), told], [['edit'], ['typed', 'edit']], 'it is sent once');
  await answerAll(parts);
  assert.deepEqual(idsOf(editor.picture.answer.tokens[0]), idsWanted(session.text, '4'));
  assert.equal(session.undo(), true);
  assert.equal(session.text.includes('typed'), false);
});

test('the backend forgets a text that is replaced, and a plug-in is never sent edits', async () => {
  const { client, clock, editor, session } = shown(words(900));
  await answerAll({ client, clock });
  assert.equal(client.kept.size, 1);
  editor.encoding.want({ ...wish(['3']), isEditable: false });
  await flush();
  assert.deepEqual(
    client.requests.map(({ kind }) => kind),
    ['whole'],
  );
  assert.equal(client.kept.size, 0);
  await answerAll({ client, clock });
  session.setText('short');
  await answerAll({ client, clock });
  assert.deepEqual(idsOf(editor.picture.answer.tokens[0]), idsWanted('short', '3'));
});

test('a conflict opens the text again; another failure clears what is drawn and is reported', async () => {
  const { client, clock, editor } = shown(words(900));
  await answerAll({ client, clock });
  for (const code of ['conflict', 'document_gone']) {
    editor.dispatch({ changes: { from: 0, insert: 'x' } });
    await flush();
    client.requests[0].fail(Object.assign(new Error(code), { code }));
    await answerAll({ client, clock });
    assert.deepEqual(idsOf(editor.picture.answer.tokens[0]), idsWanted(editor.state.sliceDoc(), '4'));
  }
  editor.dispatch({ changes: { from: 0, insert: 'y' } });
  await flush();
  client.requests[0].fail(new Error('out of memory'));
  await flush();
  assert.equal(editor.picture, null);
  assert.equal(editor.events.at(-2), 'error');
  assert.equal(client.kept.size, 0);
  editor.encoding.encode();
  await answerAll({ client, clock });
  assert.deepEqual(idsOf(editor.picture.answer.tokens[0]), idsWanted(editor.state.sliceDoc(), '4'));
});

test('tokens of other tokenizers than are wanted are cleared after a pause', async () => {
  const { client, clock, editor } = shown(words(900));
  await answerAll({ client, clock });
  editor.encoding.want(wish(['7']));
  await clock.advance(140);
  assert.notEqual(editor.picture, null, 'a quick answer does not flicker');
  await clock.advance(20);
  assert.equal(editor.picture, null);
  await answerAll({ client, clock });
  assert.deepEqual(idsOf(editor.picture.answer.tokens[0]), idsWanted(editor.state.sliceDoc(), '7'));
});

test('a stopped request leaves nothing under way and is taken up again', async () => {
  const { client, clock, editor } = shown(words(6000));
  await flush();
  assert.equal(editor.encoding.stop(), true);
  await flush();
  assert.deepEqual([client.requests.length, editor.encoding.running, client.kept.size], [0, false, 0]);
  assert.equal(editor.encoding.stop(), false);
  editor.hide();
  editor.show();
  await answerAll({ client, clock });
  assert.equal(editor.encoding.isCurrent, true);
});

test('a screen that comes back asks for nothing if nothing changed', async () => {
  const { client, clock, editor, session } = shown(words(900));
  const other = new FakeEditor(session);
  other.encoding.want(wish(['2', '5'], { ignoreSpaces: true }));
  await answerAll({ client, clock });
  editor.hide();
  other.show();
  await answerAll({ client, clock });
  other.hide();
  editor.show();
  await flush();
  assert.deepEqual([client.requests.length, editor.encoding.running], [0, false]);
  assert.equal(client.kept.size, 2);
  editor.dispatch({ changes: { from: 3, insert: 'new' } });
  await answerAll({ client, clock });
  editor.hide();
  other.show();
  await flush();
  assert.deepEqual(
    client.requests.map(({ kind }) => kind),
    ['edit'],
    'the text it has open is edited',
  );
  await answerAll({ client, clock });
  other.picture.answer.tokens.forEach((tokens, n) =>
    assert.deepEqual(idsOf(tokens), idsWanted(session.text, ['2', '5'][n])),
  );
});

test('undo and redo belong to the text, whichever editor is shown', async () => {
  const { editor, session } = shown('one');
  const other = new FakeEditor(session);
  editor.dispatch({ changes: { from: 3, insert: ' two' }, userEvent: 'input.type' });
  editor.hide();
  other.show();
  other.dispatch({ changes: { from: 0, insert: 'zero ' }, userEvent: 'input.paste' });
  other.hide();
  editor.show();
  const texts = () => [session.text, editor.state.sliceDoc()];
  assert.deepEqual(texts(), ['zero one two', 'zero one two']);
  assert.equal(session.undo(), true);
  assert.deepEqual(texts(), ['one two', 'one two']);
  assert.equal(session.undo(), true);
  assert.deepEqual(texts(), ['one', 'one']);
  assert.equal(session.redo(), true);
  assert.equal(session.redo(), true);
  assert.equal(session.redo(), false);
  assert.deepEqual(texts(), ['zero one two', 'zero one two']);
  session.setText('another');
  assert.deepEqual(texts(), ['another', 'another']);
  session.undo();
  assert.deepEqual(texts(), ['zero one two', 'zero one two']);
  editor.hide();
  other.show();
  assert.equal(other.state.sliceDoc(), 'zero one two');
  session.destroy();
});

test('keys typed in one go are one step, and a moved caret begins another', () => {
  const { session, editor } = shown('');
  const type = (insert, at = editor.state.doc.length) =>
    editor.dispatch({ changes: { from: at, insert }, selection: { anchor: at + 1 }, userEvent: 'input.type' });
  for (const key of 'abc') type(key);
  editor.dispatch({ selection: { anchor: 0 }, userEvent: 'select' });
  type('x', 0);
  session.undo();
  assert.equal(session.text, 'abc');
  session.undo();
  assert.equal(session.text, '');
  session.destroy();
});

test('the history keeps one long text at most', () => {
  const { session } = lab();
  session.setText('first');
  for (let n = 0; n < 5; n++) session.setText(`${n}${'x'.repeat(LONG)}`);
  session.undo();
  assert.equal(session.text[0], '3');
  assert.equal(session.undo(), false);
});

test('undo and redo bring the source of their text back', () => {
  const session = new TextSession();
  session.setText('typed');
  session.setText('of a file', { name: 'a.txt', encoding: 'UTF-16LE' });
  session.edit({ from: 0, to: 2, insert: 'in' });
  session.setText('of another', { name: 'b.txt', encoding: 'UTF-8' });
  const steps = [];
  const note = () => steps.push([session.text, session.source.name]);
  note();
  for (const act of ['undo', 'undo', 'undo', 'redo', 'redo', 'redo']) {
    session[act]();
    note();
  }
  const there = [
    ['of another', 'b.txt'],
    ['in a file', 'a.txt'],
    ['of a file', 'a.txt'],
    ['typed', null],
  ];
  assert.deepEqual(steps, [...there, ...there.slice(0, 3).reverse()]);
});

test('the source is that of the text, also of the same text from elsewhere', () => {
  const { session } = lab();
  let told = 0;
  session.addEventListener('source', () => told++);
  session.setText('text', { name: 'a.txt', encoding: 'UTF-8' });
  session.setText('text', { name: 'b.txt', encoding: 'UTF-16LE' });
  assert.deepEqual([session.source.name, told], ['b.txt', 1]);
  session.setText('other');
  assert.equal(session.source.name, null);
});

test('places move along with edits, and an editor without one takes over the last', () => {
  const { session, editor } = shown('one two three');
  session.keepPlace('inspect', { selection: editor.state.selection.main ? editor.state.selection : null, top: 4 });
  editor.dispatch({ changes: { from: 0, insert: '123' } });
  assert.equal(session.placeOf('compare').top, 7);
  session.setText('another text');
  assert.equal(session.placeOf('compare'), null);
  session.destroy();
});

function assertInPlaceWith(editor, options) {
  if (editor.picture) editor.picture.options = options;
  assertInPlace(editor);
}

/** Two screens on one text, and a history of wishes: what every picture on a screen must be. */
class Model {
  constructor(seed) {
    Object.assign(this, lab());
    this.random = randomFrom(seed);
    this.session.setText(words(20));
    this.editors = [new FakeEditor(this.session), new FakeEditor(this.session)];
    this.wishes = [null, null];
    this.wishedAt = [0, 0];
    this.editors.forEach((editor, n) => {
      for (const type of ['partial', 'tokens'])
        editor.encoding.addEventListener(type, () => {
          editor.picture.options = this.optionsOf(editor.picture, n);
          this.check(editor, n);
        });
      this.want(n);
    });
    this.at = 0;
    this.editors[0].show();
  }

  get editor() {
    return this.editors[this.at];
  }

  /** The options are part of the ids: those of a picture are the ones under which its first token is right. */
  optionsOf({ answer }) {
    const [id] = answer.tokenizers;
    const [tokens] = answer.tokens;
    if (!tokens.length) return OPTIONS;
    const first = String(answer.text).slice(tokens.start16.at(0), tokens.end16.at(0));
    return [true, false]
      .map(addSpecialTokens => ({ addSpecialTokens }))
      .find(options => tokenize(first, id, options)[0]?.id === tokens.ids.at(0));
  }

  want(n) {
    const { random } = this;
    const tokenizers = ['2', '3', '5', '9'].filter(() => random(2));
    this.wishes[n] = random(9)
      ? wish(tokenizers.length ? tokenizers : ['4'], { addSpecialTokens: random(2) > 0 })
      : null;
    this.wishedAt[n] = this.clock.now();
    this.editors[n].encoding.want(this.wishes[n]);
  }

  /** Tokens are in place; those said to be current are all tokens of the text for the wish. */
  check(editor, n) {
    assert.deepEqual(editor.problems, []);
    assert.equal(editor.state.doc.eq(this.session.doc), true);
    const { picture } = editor;
    if (!picture) return;
    assertInPlace(editor);
    if (picture.isPart || picture.pending || !editor.encoding.isCurrent) return;
    this.assertExact(picture, this.wishes[n]);
  }

  assertExact({ answer }, wanted) {
    assert.deepEqual(answer.tokenizers, wanted.tokenizers);
    answer.tokens.forEach((tokens, n) =>
      assert.deepEqual(idsOf(tokens), idsWanted(this.session.text, wanted.tokenizers[n], wanted.options)),
    );
  }

  async step() {
    const { random, client, clock, session } = this;
    const { doc } = this.editor.state;
    const acts = [
      () => {
        const from = random(doc.length + 1);
        const to = Math.min(doc.length, from + random(12));
        this.editor.dispatch({ changes: { from, to, insert: words(random(3), 'k') }, userEvent: 'input.type' });
      },
      () => this.editor.dispatch({ changes: { from: random(doc.length + 1), insert: 'z' }, userEvent: 'input.type' }),
      () => this.editor.dispatch({ changes: { from: 0, to: doc.length, insert: words(random(1000), 'p') } }),
      () => session.setText(words([3, 500, 700, 5000][random(4)], 's')),
      () => session.undo(),
      () => session.redo(),
      () => this.want(this.at),
      () => this.want(random(2)),
      () => this.editor.encoding.stop(),
      () => {
        this.editor.encoding.encode(); // it settles when it is answered
      },
      () => {
        this.editor.hide();
        this.at = 1 - this.at;
        this.editor.show();
      },
      () => {
        this.editor.at = random(doc.length + 1);
        this.editor.encoding.scrolled();
      },
      () => clock.advance([5, 40, 160, 1100][random(4)]),
    ];
    const request = client.requests[random(client.requests.length || 1)];
    if (request && random(2)) {
      if (random(8)) request.answer();
      else {
        const code = ['conflict', 'document_gone', 'broken'][random(3)];
        request.fail(Object.assign(new Error(code), { code }));
      }
    } else {
      await acts[random(acts.length)]();
    }
    if (random(3)) await flush();
  }

  /** What a screen shows that is left alone: exactly what is wanted, or nothing where nothing is. */
  async rest() {
    await answerAll(this);
    this.editor.encoding.encode();
    await answerAll(this);
    const wanted = this.wishes[this.at];
    if (wanted) this.assertExact(this.editor.picture, wanted);
    else assert.equal(this.editor.picture, null);
    assert.equal(this.editor.encoding.running, false);
  }
}

for (let seed = 1; seed <= scaled(4); seed++)
  test(`whatever happens in whatever order, what is drawn is that of the text (${seed})`, async () => {
    const model = new Model(seed);
    for (let n = 0; n < 150; n++) {
      await model.step();
      if (n % 7 === 0) {
        await flush();
        model.check(model.editor, model.at);
      }
    }
    await model.rest();
    for (let n = 0; n < 20; n++) await model.step();
    model.session.destroy();
    await flush();
    assert.deepEqual([model.client.requests.length, model.client.kept.size, model.clock.waiting], [0, 0, 0]);
  });

test('what is forgotten is kept nowhere, and encoded anew when the screen comes back', async () => {
  const { client, clock, editor, session } = shown(words(900));
  await answerAll({ client, clock });
  editor.hide();
  assert.equal(client.kept.size, 1);
  editor.encoding.forget();
  assert.equal(client.kept.size, 0);
  session.clear();
  assert.deepEqual([session.text, session.undo()], ['', false]);
  session.setText(words(800));
  editor.show();
  await answerAll({ client, clock });
  assert.deepEqual(idsOf(editor.picture.answer.tokens[0]), idsWanted(words(800), '4'));
});
