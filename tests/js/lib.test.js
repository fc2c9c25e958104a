import assert from 'node:assert/strict';
import test from 'node:test';
import { Activity } from '../../lab_ui/js/app/state/activity.js';
import { Clusters } from '../../lab_ui/js/text/clusters.js';
import { CodePoints } from '../../lab_ui/js/screens/inspect/code_points.js';
import { listen } from '../../lab_ui/js/ui/dom.js';
import { EarlyKeys } from '../../lab_ui/js/app/commands/early_keys.js';
import { keepText, keptText, lostLength } from '../../lab_ui/js/app/state/kept_text.js';
import { Latest } from '../../lab_ui/js/util/latest.js';
import { Slots } from '../../lab_ui/js/text/slots.js';
import { withoutTrailingSpace } from '../../lab_ui/js/screens/compare/spaces.js';
import { decodeText, readTextFile } from '../../lab_ui/js/app/files/text_file.js';
import { TextSlice } from '../../lab_ui/js/text/text_slice.js';
import { wordCount } from '../../lab_ui/js/text/word_count.js';
import { sharing, sourceBytes, tokenFacts } from '../../lab_ui/js/text/token_facts.js';
import { spokenText, visibleParts } from '../../lab_ui/js/text/visible_text.js';
import { tokensOf } from './helpers.js';

test('clusters are whole characters to a reader', () => {
  const text = 'ae\u0301🇯🇵👩‍🔬\r\nb';
  const clusters = new Clusters(text, 10);
  assert.equal(clusters.floor(12), 11, 'inside e + accent');
  assert.equal(clusters.ceil(12), 13);
  assert.equal(clusters.floor(15), 13, 'inside a flag');
  assert.equal(clusters.ceil(18), 22, 'inside the family');
  assert.equal(clusters.floor(23), 22, 'between CR and LF');
  for (const edge of [10, 11, 13, 17, 22, 24, 25]) assert.equal(clusters.floor(edge), edge);
});

test('code points of any position agree with counting them', () => {
  const text = 'a😀b'.repeat(3000);
  const points = new CodePoints(text);
  for (const pos of [0, 1, 3, 4, 4095, 4096, 4097, 8191, 8192, text.length])
    assert.equal(points.at(pos), [...text.slice(0, pos)].length);
});

test('facts of a token that holds parts of characters', () => {
  const text = 'a日本';
  const tokens = tokensOf(text, [1, 3, 5, 7]);
  assert.deepEqual([...sourceBytes(tokens, 2, text)], [0xa5, 0xe6]);
  const facts = tokenFacts(tokens, 2, text);
  assert.deepEqual(
    facts.characters.map(({ text: character, mine, owners }) => [character, mine, owners]),
    [
      ['日', [2, 3], [1, 2]],
      ['本', [0, 1], [2, 3]],
    ],
  );
  assert.equal(sharing(facts), 'parts of 2 characters');
  assert.equal(sharing(tokenFacts(tokens, 1, text)), '1 character, 2 tokens');
  assert.equal(sharing(tokenFacts(tokens, 0, text)), '');
});

test('the bytes of all tokens are the bytes of the text, however it is cut', () => {
  const text = 'naïve 日本語 👩‍🔬 नमस्ते';
  const bytes = new TextEncoder().encode(text);
  for (const step of [1, 2, 3, 4, 7]) {
    const cuts = [];
    for (let at = step; at < bytes.length; at += step) cuts.push(at);
    const tokens = tokensOf(text, [...cuts, bytes.length]);
    const all = [];
    for (let i = 0; i < tokens.length; i++) all.push(...sourceBytes(tokens, i, text));
    assert.deepEqual(all, [...bytes]);
  }
});

test('what cannot be seen gets a name', () => {
  const named = text =>
    visibleParts(text)
      .map(part => (part.named ? `[${part.text}]` : part.text))
      .join('');
  assert.equal(named(' hello\n'), '[·]hello[↵]');
  assert.equal(named('a\u202eb'), 'a[RLO]b');
  assert.equal(named('\u200d'), '[ZWJ]');
  assert.equal(named('👩‍🔬'), '👩‍🔬', 'a joiner at work stays');
  assert.equal(named('\x00\x01'), '[NUL][SOH]');
  assert.equal(named('\ud800'), '[U+D800]');
  assert.equal(spokenText(' hello'), 'space hello');
  assert.equal(spokenText('a\n   b'), 'a line break 3 spaces b');
});

test('only the newest request counts', async () => {
  const latest = new Latest();
  const open = [];
  const ask = signal =>
    new Promise((resolve, reject) => {
      open.push(resolve);
      signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
    });
  const first = latest.run(ask);
  const second = latest.run(ask);
  open[1]('second');
  open[0]('first');
  assert.equal(await first, null);
  assert.equal(await second, 'second');
  const third = latest.run(ask);
  assert.equal(latest.running, true);
  latest.stop();
  assert.equal(await third, null);
  assert.equal(latest.running, false);
  await assert.rejects(
    latest.run(async () => {
      throw new Error('broken');
    }),
    /broken/,
  );
});

test('an answer that ignores being stopped is thrown away', async () => {
  const latest = new Latest();
  let answer;
  const stubborn = latest.run(
    () =>
      new Promise(resolve => {
        answer = resolve;
      }),
  );
  const newer = latest.run(async () => 'newer');
  answer('older');
  assert.equal(await stubborn, null);
  assert.equal(await newer, 'newer');
});

test('letters stay with their tokenizers', () => {
  const slots = new Slots();
  assert.deepEqual(
    ['x', 'y', 'z'].map(id => slots.take(id)),
    ['A', 'B', 'C'],
  );
  slots.release('y');
  assert.equal(slots.take('w'), 'B');
  slots.release('w');
  assert.equal(slots.take('y'), 'B', 'its old place, free again');
  for (const id of '12345') slots.take(id);
  assert.equal(slots.take('ninth'), null);
  assert.equal(new Slots({ gpt2: 'F', odd: 'Z' }).take('gpt2'), 'F');
});

test('a text is kept over a reload, if there is room for it', () => {
  const kept = new Map();
  const storage = {
    setItem: (key, value) => kept.set(key, value),
    getItem: key => kept.get(key) ?? null,
    removeItem: key => kept.delete(key),
  };
  const session = { text: 'half \ud83d\r\n', source: { name: 'a.txt', encoding: 'UTF-16LE' } };
  assert.equal(keptText(storage), null);
  keepText(session, storage);
  assert.deepEqual(keptText(storage), session);
  keepText({ ...session, text: 'x'.repeat(2_000_001) }, storage);
  assert.equal(keptText(storage), null, 'not the text before it');
  assert.equal(lostLength(storage), 2_000_001);
  keepText(session, storage);
  assert.equal(lostLength(storage), null);
  storage.setItem('text', '{"text": 3}');
  assert.equal(keptText(storage), null);
  const full = () => {
    throw new Error('quota');
  };
  const small = { ...storage, setItem: (key, value) => (value.length > 99 ? full() : storage.setItem(key, value)) };
  keepText({ ...session, text: 'x'.repeat(100) }, small);
  assert.deepEqual([keptText(small), lostLength(small)], [null, 100], 'the browser has less room');
  storage.setItem('text', '{"lostLength": "x"}');
  assert.equal(lostLength(storage), null);
  keepText(session, { setItem: full, removeItem: full });
});

test('trailing white space does not count', () => {
  const slice = text => (from, to) => text.slice(from, to);
  assert.deepEqual(withoutTrailingSpace(0, 4, slice('ab  c')), { from: 0, to: 2 });
  assert.deepEqual(withoutTrailingSpace(0, 2, slice('ab')), { from: 0, to: 2 });
  assert.deepEqual(withoutTrailingSpace(1, 3, slice('a  b')), { from: 1, to: 1 });
  assert.deepEqual(
    withoutTrailingSpace(2, 2, slice('a  b')),
    { from: 2, to: 2 },
    'a token without a span of its own, behind a space',
  );
  assert.deepEqual(withoutTrailingSpace(0, 0, slice('')), { from: 0, to: 0 });
});

test('words', async () => {
  for (const [text, words] of [
    ['', 0],
    ['one', 1],
    [' one  two\nthree\u00a0four\u3000five ', 5],
    ['Hindi हिन्दी 한국어 words 東', 5],
    ['吾輩は猫である。', null],
    ['ภาษาไทย', null],
    [`${'w'.repeat(131_071)} ${'two words '.repeat(20_000)}`, 40_001],
  ])
    assert.equal(await wordCount(text), words);
});

test('text of a file', () => {
  const buffer = bytes => Uint8Array.from(bytes).buffer;
  assert.deepEqual(decodeText(buffer([0xef, 0xbb, 0xbf, 0x61]), 'a'), { text: '\ufeffa', encoding: 'UTF-8' });
  assert.deepEqual(decodeText(buffer([0xff, 0xfe, 0x61, 0]), 'a'), { text: 'a', encoding: 'UTF-16LE' });
  assert.deepEqual(decodeText(buffer([0xfe, 0xff, 0, 0x61]), 'a'), { text: 'a', encoding: 'UTF-16BE' });
  assert.deepEqual(decodeText(buffer([]), 'a'), { text: '', encoding: 'UTF-8' });
  assert.throws(
    () => decodeText(buffer([0x61, 0x62, 0xff, 0x63]), 'x.bin'),
    /x\.bin is not UTF-8 text: byte 2 is 0xff/,
  );
  assert.throws(() => decodeText(buffer([0x61, 0xe8, 0xaa]), 'cut.txt'), /cut\.txt is not UTF-8/);
  const wide = [
    [0xff, 0xfe, 0, 0, 0x61, 0, 0, 0],
    [0, 0, 0xfe, 0xff, 0, 0, 0, 0x61],
  ];
  for (const each of wide)
    assert.throws(() => decodeText(buffer(each), 'w.txt'), /w\.txt is in UTF-32, which the lab does not read/);
});

test('ready when nothing is under way', async () => {
  const root = /** @type {any} */ ({ dataset: {} });
  const activity = new Activity(root);
  assert.equal(root.dataset.state, 'busy');
  let finish;
  const work = activity.track(
    new Promise(resolve => {
      finish = resolve;
    }),
  );
  const failing = activity.track(Promise.reject(new Error('failed')));
  await failing.catch(() => {});
  assert.equal(root.dataset.state, 'busy');
  finish();
  await work;
  await null;
  assert.equal(root.dataset.state, 'ready');
});

test('parts of a text are those of its string', () => {
  const whole = 'It was the best of times, 東京都 👩‍🔬\n'.repeat(900);
  const doc = /** @type {any} */ ({
    length: whole.length,
    sliceString: (from, to = whole.length) => whole.slice(from, to),
  });
  const slice = new TextSlice(doc);
  let seed = 5;
  const below = bound => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return Math.floor(seed / 65536) % bound;
  };
  for (let n = 0; n < 500; n++) {
    const from = below(whole.length);
    const to = Math.min(whole.length, from + below(n % 9 ? 40 : 5000));
    assert.equal(slice.slice(from, to), whole.slice(from, to));
  }
  assert.equal(slice.slice(whole.length - 3), whole.slice(-3));
});

test('a text with many joiners is walked through once', () => {
  const text = 'می\u200cخواهم '.repeat(2000);
  const own = String.prototype[Symbol.iterator];
  let walks = 0;
  String.prototype[Symbol.iterator] = function () {
    walks++;
    return own.call(this);
  };
  try {
    assert.ok(visibleParts(text).length > 2000);
  } finally {
    String.prototype[Symbol.iterator] = own;
  }
  assert.equal(walks, 1);
});

test('a file that is too large is refused before it is read', async () => {
  let read = 0;
  const fileOf = (bytes, name = 'a.txt') =>
    Object.assign(new Blob([Uint8Array.from(bytes)]), {
      name,
      arrayBuffer: async () => {
        read++;
        return Uint8Array.from(bytes).buffer;
      },
    });
  assert.deepEqual(await readTextFile(fileOf([0x61, 0x62]), 2), { text: 'ab', encoding: 'UTF-8' });
  assert.equal(read, 1);
  await assert.rejects(
    readTextFile(fileOf([0x61, 0x62, 0x63], 'big.txt'), 2),
    /big\.txt has 3\u202fB; the lab takes texts of up to 2\u202fB/,
  );
  assert.equal(read, 1);
  assert.deepEqual(
    await readTextFile(fileOf([0xff, 0xfe, 0x61, 0]), 2),
    { text: 'a', encoding: 'UTF-16LE' },
    'half as long in UTF-8',
  );
});

test('reports of a component are heard, events of the browser with the same name are not', () => {
  const target = new EventTarget();
  const heard = [];
  listen(target, 'copy', detail => heard.push(detail));
  target.dispatchEvent(new Event('copy'));
  target.dispatchEvent(new CustomEvent('copy', { detail: 3 }));
  assert.deepEqual(heard, [3]);
});

test('keys that come before the lab is there are kept for the palette, and no command runs', () => {
  const target = new EventTarget();
  const early = new EarlyKeys(target);
  const press = (key, more = {}) =>
    target.dispatchEvent(Object.assign(new Event('keydown', { cancelable: true }), { key, ...more }));
  press('t');
  press('k', { ctrlKey: true });
  for (const key of 'tezt') press(key);
  press('Backspace');
  press('Backspace');
  for (const key of 'xt') press(key);
  assert.equal(early.end(), 'text');
  press('a');
  assert.equal(early.end(), 'text');
  const unasked = new EarlyKeys(target);
  press('t');
  assert.equal(unasked.end(), null);
});
