/** Bytes and UTF-8: a character, its code point, and the bytes that hold its bits (RFC 3629). */
import { codePoint, hexByte } from '../../util/format.js';
import { visible } from '../names.js';
import { pointing } from '../say.js';
import { words } from '../words/index.js';
import { oncePerLesson } from './scene.js';

const TILE = 56;
const UNIT = 62;
/** Characters and bytes that are drawn: the newest ones. */
const MOST = 14;
const LENGTHS = [1, 2, 3, 4];

/** @type {(lesson: {facts: any}) => string[]} */
const charactersIn = oncePerLesson(({ facts }) => Array.from(facts.text));

/** @type {import('./scene.js').Scene} */
export const utf8 = {
  name: 'utf8',
  group: 'basics',
  model: '',
  example: 'aé日😀',

  stop: (now, facts) => {
    if (now.step === 'start') return words.stops.start;
    if (now.step === 'done') return words.stops.done;
    return now.step === 'character' ? visible(charactersIn({ facts })[now.at] ?? '') : '';
  },

  asks: next => next.step === 'character',

  right: ({ next }) => {
    if (next?.now.step !== 'character') return null;
    const [from, to] = next.lists.characters[next.now.at].span;
    return String(to - from);
  },

  task: ({ isAsked, next }) =>
    isAsked && next ? words.utf8.task(visible(next.lists.characters[next.now.at].text)) : words.utf8.taskWatch,

  sentence({ facts, state }) {
    const { now, lists } = state;
    if (now.step === 'start') return words.utf8.start;
    if (now.step === 'character') {
      const { text, code_point: code, bits, span } = lists.characters[now.at];
      return words.utf8.character({
        character: pointing(visible(text), `c${now.at}`),
        code: codePoint(text),
        number: code,
        bits: bits.replace(/^0+(?=.)/, '').length,
        bytes: span[1] - span[0],
      });
    }
    if (now.step === 'byte') {
      const { value, mark, bits } = lists.bytes[now.at];
      return words.utf8.byte({ byte: pointing(hexByte(value), `b${now.at}`), mark, bits: bits.length });
    }
    return words.utf8.done(lists.characters.length, lists.bytes.length, facts.ids.length);
  },

  miss: ({ next }, _chosen, right) =>
    words.utf8.miss({
      code: codePoint(next?.lists.characters[next.now.at].text),
      right: Number(right),
      from: ['', 'U+0000', 'U+0080', 'U+0800', 'U+10000'][Number(right)],
      to: ['', 'U+007F', 'U+07FF', 'U+FFFF', 'U+10FFFF'][Number(right)],
    }),

  table: ({ state }) => ({
    caption: words.utf8.table,
    columns: words.utf8.columns,
    numeric: [2, 3],
    rows: state.lists.characters.slice(-MOST).map(({ text, code_point: code, span }) => ({
      cells: [visible(text), codePoint(text), String(code), String(span[1] - span[0])],
    })),
  }),

  draw(view, sheet, markOf) {
    const { facts, state, next, isAsked } = view;
    const { characters, bytes } = state.lists;
    const firstByte = Math.max(0, bytes.length - MOST);
    const firstCharacter = bytes[firstByte]?.character ?? Math.max(0, characters.length - 1);
    if (isAsked && next) {
      const { text } = next.lists.characters[next.now.at];
      sheet.box({ x: 0, y: 0, width: 64, height: 64, text: visible(text), size: 30, className: 'plain' });
      for (const length of LENGTHS) {
        const key = String(length);
        sheet.box({
          x: 84 + (length - 1) * 92,
          y: 10,
          width: 84,
          height: 44,
          text: words.utf8.bytes(length),
          size: 14,
          choice: key,
          label: words.utf8.bytes(length),
          className: `choice ${markOf(key)}`,
        });
      }
    }
    const top = isAsked ? 94 : 0;
    let x = 0;
    for (let n = firstCharacter; n < characters.length; n++) {
      const { text, span } = characters[n];
      const width = (span[1] - span[0]) * UNIT - 6;
      const isNew = state.now.step === 'character' && state.now.at === n;
      sheet.box({
        x,
        y: top,
        width,
        height: TILE,
        text: visible(text),
        size: 28,
        colour: n,
        ref: `c${n}`,
        className: isNew ? 'new' : '',
      });
      sheet.text({ x: x + width / 2, y: top + TILE + 14, text: codePoint(text), size: 12, className: 'faint' });
      let place = 0;
      bytes.slice(firstByte).forEach(({ value, mark, bits, character }, after) => {
        if (character !== n) return;
        const at = firstByte + after;
        const left = x + place++ * UNIT;
        const isNow = state.now.step === 'byte' && state.now.at === at;
        sheet.box({
          x: left,
          y: top + TILE + 34,
          width: UNIT - 6,
          height: 40,
          text: hexByte(value),
          size: 20,
          colour: n,
          ref: `b${at}`,
          className: isNow ? 'new' : '',
        });
        sheet.text({ x: left + (UNIT - 6) / 2, y: top + TILE + 88, text: mark, size: 13, className: 'mark' });
        sheet.text({ x: left + (UNIT - 6) / 2, y: top + TILE + 106, text: bits, size: 13 });
      });
      x += width + 6;
    }
    // Those to come.
    for (const text of charactersIn({ facts }).slice(characters.length, characters.length + MOST)) {
      sheet.box({ x, y: top, width: UNIT - 6, height: TILE, text: visible(text), size: 28, className: 'plain' });
      x += UNIT;
    }
    sheet.width = Math.max(sheet.width, 560);
    sheet.height = Math.max(sheet.height, top + TILE + 120);
  },
};
