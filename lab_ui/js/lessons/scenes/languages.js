/** Why languages pay differently: lines that say the same, and how many tokens each takes for one of the first line. */
import { ratio } from '../../util/format.js';
import { beginning } from '../figures/sheet.js';
import { visible } from '../names.js';
import { pointing } from '../say.js';
import { words } from '../words/index.js';

const ROW = 34;
const MOST = 40;
const LINE = 300;
/** Lines that a room can read at a time. */
const MOST_IN_ROOM = 6;

/** @type {import('./scene.js').Scene} */
export const languages = {
  name: 'languages',
  group: 'languages',
  model: '',
  example: '', // sentences of the lab that say the same

  stop: now => (now.step === 'start' ? words.stops.start : now.step === 'done' ? words.stops.done : String(now.at + 1)),

  asks: (_next, at) => at === 0,

  right({ last, stateAt }) {
    const sentences = stateAt(last).lists.sentences.slice(0, MOST);
    const most = Math.max(...sentences.map(tokensOf));
    return String(sentences.findIndex(sentence => tokensOf(sentence) === most));
  },

  isRight: ({ last, stateAt }, key) => {
    const sentences = stateAt(last).lists.sentences.slice(0, MOST);
    return tokensOf(sentences[Number(key)]) === Math.max(...sentences.map(tokensOf));
  },

  task: ({ isAsked }) => (isAsked ? words.languages.task : words.languages.taskWatch),

  sentence({ facts, state }) {
    const { now, lists } = state;
    if (now.step === 'start') return words.languages.start;
    if (now.step === 'done') return words.languages.done;
    const { premium, bytes, characters } = lists.sentences[now.at];
    return words.languages.sentence({
      line: pointing(lineOf(facts, now.at), `l${now.at}`),
      tokens: now.tokens,
      bytes,
      characters,
      premium: premium === null ? null : ratio(premium),
    });
  },

  miss({ facts, last, stateAt }, chosen, right) {
    const { sentences } = stateAt(last).lists;
    /** @param {string} key */
    const of = key => ({
      name: pointing(lineOf(facts, Number(key)), `l${key}`),
      tokens: tokensOf(sentences[Number(key)]),
    });
    return words.languages.miss({ chosen: of(chosen), right: of(right) });
  },

  table: ({ facts, state }) => ({
    caption: words.languages.table,
    columns: words.languages.columns,
    numeric: [1, 2, 3],
    rows: state.lists.sentences.map((sentence, n) => ({
      cells: [
        lineOf(facts, n),
        String(sentence.bytes),
        sentence.tokens === null ? '–' : String(tokensOf(sentence)),
        sentence.premium === null || sentence.tokens === null ? '–' : ratio(sentence.premium),
      ],
      ref: `l${n}`,
    })),
  }),

  draw(view, sheet, markOf) {
    const { facts, state, isAsked, last, stateAt } = view;
    const most = Math.max(1, ...stateAt(last).lists.sentences.map(tokensOf));
    const room = Math.max(160, sheet.room - 380);
    const { sentences } = state.lists;
    const drawn = sheet.isForRoom ? forRoom(sentences.length, view) : [...sentences.slice(0, MOST).keys()];
    drawn.forEach((n, row) => {
      const sentence = sentences[n];
      const y = row * ROW;
      const key = String(n);
      const named = facts.languages ? `${facts.languages[n]}: ` : '';
      const text = beginning(named + visible(sentence.text), 13, LINE);
      const kind = markOf(key) || (isAsked ? 'choice' : 'plain');
      sheet.box({
        x: 0,
        y,
        width: LINE,
        height: ROW - 8,
        text,
        size: 13,
        ref: `l${n}`,
        className: kind,
        choice: isAsked ? key : undefined,
        label: text,
      });
      if (sentence.tokens === null) return;
      const tokens = tokensOf(sentence);
      const width = Math.max(2, (room * tokens) / most);
      sheet.box({ x: 312, y: y + 6, width, height: ROW - 20, className: 'bar' });
      const premium = sentence.premium === null ? '' : ` · ${ratio(sentence.premium)} ×`;
      sheet.text({ x: 320 + width, y: y + ROW / 2 - 4, text: `${tokens}${premium}`, anchor: 'start' });
    });
    sheet.width = Math.max(sheet.width, 312 + room);
  },
};

/**
 * The lines that a room sees: those up to the step; to choose from, the right one and others far from each other.
 * @param {number} length @param {import('./scene.js').View} view
 */
function forRoom(length, view) {
  const all = Array.from({ length: Math.min(length, MOST) }, (_, n) => n);
  if (view.isAsked) {
    const apart = Math.ceil(all.length / MOST_IN_ROOM);
    return all.filter(n => n % apart === Number(languages.right(view)) % apart);
  }
  const from = Math.min((view.state.now.at ?? 0) - MOST_IN_ROOM + 2, all.length - MOST_IN_ROOM);
  return all.slice(Math.max(0, from)).slice(0, MOST_IN_ROOM);
}

/** The language of a line, where the lab knows it. @param {any} facts @param {number} n */
const lineOf = ({ languages }, n) => languages?.[n] ?? words.languages.line(n + 1);

/** @param {{tokens: [number, number]|null}} sentence */
const tokensOf = ({ tokens }) => (tokens ? tokens[1] - tokens[0] : 0);
