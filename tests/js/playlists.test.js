/** Playlists in the page: a change is saved at once or taken back, fields refuse wrong values, entries are dragged. */
import './page.js';
import assert from 'node:assert/strict';
import test from 'node:test';
import { VoteBars } from '../../lab_ui/js/lessons/vote_bars.js';
import { Lectures } from '../../lab_ui/js/screens/learn/lectures.js';
import { PlaylistView } from '../../lab_ui/js/screens/learn/playlist_view.js';
import { Playlists } from '../../lab_ui/js/screens/learn/playlists.js';
import { listen } from '../../lab_ui/js/ui/dom.js';

const PART = { minutes: 5, show: 'utf8', way: 'watch', tokenizer: null, text: '', step: 0, sheet: 'mixed', seed: 0 };
const part = title => ({ ...PART, title, note: '' });
const playlist = (name, ...titles) => ({ kind: 'playlist', version: 1, name, parts: titles.map(part) });

/** A lab that keeps playlists. A test can make it refuse the next saving or reading, or a part. */
function lab(...own) {
  const state = {
    kept: own.map((each, n) => ({ ...each, id: n + 1, isChanged: false })),
    refuses: 0,
    unread: 0,
    bad: '',
    saved: [],
    bundled: [],
  };
  const client = {
    playlists: async () => {
      if (state.unread-- > 0) throw new Error('the lab does not answer');
      const own = new Set(state.kept.map(({ name }) => name));
      const bundled = state.bundled.filter(({ name }) => !own.has(name));
      return structuredClone([...bundled.map(each => ({ ...each, id: null, isChanged: false })), ...state.kept]);
    },
    savePlaylist: async file => {
      if (state.refuses-- > 0 || titles(file).includes(state.bad)) throw new Error('the disk is full');
      state.saved.push(structuredClone(file));
      state.kept = [
        ...state.kept.filter(({ name }) => name !== file.name),
        { ...file, id: 10 + state.saved.length, isChanged: false },
      ];
    },
    removePlaylist: async id => {
      state.kept = state.kept.filter(each => each.id !== id);
    },
  };
  const errors = [];
  const context = {
    activity: { track: work => work },
    status: { showError: error => errors.push(error), progress() {}, clearError() {}, announce() {} },
  };
  return { state, client: /** @type {any} */ (client), errors, context: /** @type {any} */ (context) };
}

const titles = found => found?.parts.map(({ title }) => title);

test('a change is there at once, and is saved; a new name leaves the old one', async () => {
  const { state, client, context } = lab(playlist('Hour', 'a'));
  const playlists = new Playlists(context, client);
  await playlists.load();
  const saving = playlists.put(playlist('Hour', 'a', 'b'));
  assert.deepEqual(titles(playlists.named('Hour')), ['a', 'b']);
  assert.equal(await saving, true);
  assert.equal(playlists.named('Hour').id, 11);
  assert.equal(await playlists.put(playlist('Lecture', 'a', 'b'), 'Hour'), true);
  assert.deepEqual([playlists.named('Hour'), state.kept.map(({ name }) => name)], [null, ['Lecture']]);
  assert.equal(playlists.free('Lecture'), 'Lecture 2');
  await playlists.remove('Lecture');
  assert.deepEqual(playlists.list, []);
});

test('what cannot be saved is as it was, and a later change saves both', async () => {
  const { state, client, context, errors } = lab(playlist('Hour', 'a'));
  const playlists = new Playlists(context, client);
  await playlists.load();
  state.refuses = 1;
  assert.equal(await playlists.put(playlist('Hour', 'a', 'b')), false);
  assert.deepEqual(
    [titles(playlists.named('Hour')), errors.map(({ message }) => message)],
    [['a'], ['the disk is full']],
  );
  state.refuses = 1;
  assert.equal(await playlists.put(playlist('Other', 'x')), false);
  assert.equal(playlists.named('Other'), null, 'a new one is gone again');
  state.refuses = 1;
  const first = playlists.put(playlist('Hour', 'a', 'b'));
  const second = playlists.put(playlist('Hour', 'a', 'b', 'c'));
  assert.deepEqual([await first, await second], [false, true]);
  assert.deepEqual(titles(playlists.named('Hour')), ['a', 'b', 'c']);
  assert.deepEqual(titles(state.kept[0]), ['a', 'b', 'c']);
});

test('where the last of several changes fails, the page shows what the lab has', async () => {
  const { state, client, context } = lab(playlist('Hour', 'a'), playlist('Other', 'x'));
  const playlists = new Playlists(context, client);
  await playlists.load();
  state.bad = 'c';
  const first = playlists.put(playlist('Hour', 'a', 'b'));
  const second = playlists.put(playlist('Hour', 'a', 'b', 'c'));
  assert.deepEqual(titles(playlists.named('Hour')), ['a', 'b', 'c']);
  assert.deepEqual([await first, await second], [true, false]);
  assert.deepEqual(titles(playlists.named('Hour')), ['a', 'b']);
  const wrong = playlists.put(playlist('Hour', 'c'));
  const other = playlists.put(playlist('Other', 'x', 'y'));
  assert.deepEqual([await wrong, await other], [false, true]);
  assert.deepEqual(
    playlists.list.map(each => [each.name, titles(each)]),
    [
      ['Hour', ['a', 'b']],
      ['Other', ['x', 'y']],
    ],
  );
});

test('what was saved stays where the reading after it fails, and is as it was where nothing is answered', async () => {
  const { state, client, context, errors } = lab(playlist('Hour', 'a'));
  const playlists = new Playlists(context, client);
  await playlists.load();
  for (const unread of [1, 2]) {
    state.unread = unread;
    assert.equal(await playlists.put(playlist('Hour', 'a', `${unread}`)), true);
    assert.deepEqual(titles(playlists.named('Hour')), ['a', `${unread}`]);
    assert.equal(errors.pop().message, 'the lab does not answer');
  }
  state.refuses = state.unread = 1;
  assert.equal(await playlists.put(playlist('Hour', 'b')), false);
  assert.deepEqual(titles(playlists.named('Hour')), ['a', '2']);
});

test('a plan of the lab that gets another name leaves the original, as it came', async () => {
  const { state, client, context } = lab();
  state.bundled = [playlist('Plan', 'a')];
  const playlists = new Playlists(context, client);
  await playlists.load();
  await playlists.put(playlist('Copy', 'a'), 'Plan');
  assert.deepEqual(playlists.list.map(({ name, id }) => [name, id]).sort(), [
    ['Copy', 11],
    ['Plan', null],
  ]);
  await playlists.put(playlist('Plan', 'a', 'b'));
  await playlists.put(playlist('Mine', 'a', 'b'), 'Plan');
  assert.deepEqual([titles(playlists.named('Plan')), playlists.named('Plan').id], [['a'], null]);
  await playlists.remove('Mine');
  assert.deepEqual(playlists.list.map(({ name }) => name).sort(), ['Copy', 'Plan']);
});

/** @param {any} shown */
function viewOf(shown) {
  const view = new PlaylistView();
  document.body.replaceChildren(view);
  view.show({ id: 1, isChanged: false, ...shown });
  const edits = [];
  listen(view, 'edited', edited => edits.push(edited));
  const message = () => view.querySelector('[role=status]').textContent;
  return { view, edits, message };
}

/** @param {HTMLInputElement} field @param {string} value */
function type(field, value) {
  field.value = value;
  field.dispatchEvent(new Event('change'));
}

test('minutes and titles that cannot be are refused, and the field is as it was', () => {
  const { view, edits, message } = viewOf(playlist('Hour', 'a', 'b'));
  const [minutes] = view.querySelectorAll('[data-act=minutes]');
  for (const wrong of ['0', '601', '-3', '', 'x']) {
    type(minutes, wrong);
    assert.deepEqual([minutes.value, message()], ['5', 'A part takes 1 to 600 minutes.'], wrong);
  }
  const [title] = view.querySelectorAll('[data-act=title]');
  type(title, '  ');
  assert.deepEqual([title.value, message(), edits.length], ['a', 'A part needs a title.', 0]);
  type(minutes, '12');
  type(title, 'first');
  assert.deepEqual([edits.at(-1).parts[0].minutes, edits.at(-1).parts[0].title, message()], [12, 'first', '']);
  assert.match(view.textContent, /0–17 min/);
  view.querySelector('[data-act=remove]').click();
  assert.deepEqual(titles(edits.at(-1)), ['b']);
});

test('an entry that is dragged onto another one takes its place', () => {
  const { view, edits } = viewOf(playlist('Hour', 'a', 'b', 'c'));
  const items = view.querySelectorAll('.ordered-list > li');
  const drag = (name, item) => {
    const event = new Event(name, { bubbles: true, cancelable: true });
    item.dispatchEvent(event);
    return event.defaultPrevented;
  };
  assert.equal(drag('dragover', items[2]), false, 'nothing of the list is dragged');
  drag('dragstart', items[0]);
  assert.equal(drag('dragover', items[2]), true);
  drag('drop', items[2]);
  assert.deepEqual(titles(edits.at(-1)), ['b', 'c', 'a']);
  drag('dragend', items[0]);
  drag('drop', items[1]);
  assert.equal(edits.length, 1);
  drag('dragstart', items[1]);
  drag('drop', view);
  assert.equal(edits.length, 1, 'beside the list it stays where it is');
});

test('the last part stays, and a changed plan of the lab is restored, not deleted', () => {
  const { view, edits, message } = viewOf(playlist('Hour', 'a'));
  view.querySelector('[data-act=remove]').click();
  assert.deepEqual([edits.length, /one part at least/.test(message())], [0, true]);
  const shown = () =>
    [...view.querySelectorAll('.playlist-head > button')].filter(each => !each.hidden).at(-1).textContent;
  assert.equal(shown(), 'Delete');
  view.show({ ...playlist('Plan', 'a'), id: 3, isChanged: true });
  assert.equal(shown(), 'Restore');
  view.show({ ...playlist('Plan', 'a'), id: null, isChanged: false });
  assert.equal(shown(), 'Save as a file');
});

test('a playlist that is full says what to do', () => {
  const { context, errors } = lab();
  const lectures = new Lectures(context, () => {});
  lectures.playlists.list = [{ ...playlist('Hour', ...Array(50).fill('a')), id: 1, isChanged: false }];
  lectures.add('Hour', /** @type {any} */ (part('b')));
  const [error] = errors;
  assert.match(error.message, /“Hour” has 50 parts/);
  assert.match(error.hint, /New playlist/);
});

test('votes say that single keys are off', () => {
  const bars = new VoteBars();
  document.body.replaceChildren(bars);
  const question = { at: 1, choices: [{ key: '1', label: 'one' }], right: null };
  bars.ask('1', question);
  assert.match(bars.textContent, /Each choice has its key/);
  bars.hasKeys = false;
  bars.ask('1', question);
  assert.match(bars.textContent, /single-key shortcuts, which are off/);
});
