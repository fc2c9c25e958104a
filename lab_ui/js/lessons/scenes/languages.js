/** Why languages pay differently: lines that say the same, and how many tokens each takes for one of the first line. */
import { ratio } from '../../util/format.js';
import { beginning } from '../figures/sheet.js';
import { shown } from '../names.js';
import { pointing } from '../say.js';
import { words } from '../words/index.js';

const ROW = 46;
const MOST = 12;
const LINE = 300;

/** @type {import('./scene.js').Scene} */
export const languages = {
  name: 'languages',
  group: 'languages',
  model: '',
  example: [
    'All human beings are born free and equal in dignity and rights.',
    'Alle Menschen sind frei und gleich an Würde und Rechten geboren.',
    'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。',
    'सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।',
    'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.',
  ].join('\n'),

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

  sentence({ state }) {
    const { now, lists } = state;
    if (now.step === 'start') return words.languages.start;
    if (now.step === 'done') return words.languages.done;
    const { premium, bytes, characters } = lists.sentences[now.at];
    return words.languages.sentence({
      line: pointing(words.languages.line(now.at + 1), `l${now.at}`),
      tokens: now.tokens,
      bytes,
      characters,
      premium: premium === null ? null : ratio(premium),
    });
  },

  miss({ last, stateAt }, chosen, right) {
    const { sentences } = stateAt(last).lists;
    /** @param {string} key */
    const of = key => ({
      name: pointing(words.languages.line(Number(key) + 1), `l${key}`),
      tokens: tokensOf(sentences[Number(key)]),
    });
    return words.languages.miss({ chosen: of(chosen), right: of(right) });
  },

  table: ({ state }) => ({
    caption: words.languages.table,
    columns: words.languages.columns,
    numeric: [1, 2, 3],
    rows: state.lists.sentences.map((sentence, n) => ({
      cells: [
        words.languages.line(n + 1),
        String(sentence.bytes),
        sentence.tokens === null ? '–' : String(tokensOf(sentence)),
        sentence.premium === null || sentence.tokens === null ? '–' : ratio(sentence.premium),
      ],
      ref: `l${n}`,
    })),
  }),

  draw(view, sheet) {
    const { state, isAsked, chosen, isRevealed, last, stateAt } = view;
    const right = isRevealed ? this.right(view) : null;
    const most = Math.max(1, ...stateAt(last).lists.sentences.map(tokensOf));
    const room = Math.max(160, sheet.room - 380);
    state.lists.sentences.slice(0, MOST).forEach((sentence, n) => {
      const y = n * ROW;
      const key = String(n);
      const text = beginning(shown(sentence.text), 13, LINE);
      const kind = chosen === key ? 'wrong' : right === key ? 'right' : isAsked ? 'choice' : 'plain';
      sheet.box({
        x: 0,
        y,
        width: LINE,
        height: ROW - 10,
        text,
        size: 13,
        ref: `l${n}`,
        className: kind,
        choice: isAsked ? key : undefined,
        label: isAsked ? words.languages.press(n + 1) : undefined,
      });
      if (sentence.tokens === null) return;
      const tokens = tokensOf(sentence);
      const width = Math.max(2, (room * tokens) / most);
      sheet.box({ x: 312, y: y + 8, width, height: ROW - 26, className: 'bar' });
      const premium = sentence.premium === null ? '' : ` · ${ratio(sentence.premium)} ×`;
      sheet.text({ x: 320 + width, y: y + ROW / 2 - 5, text: `${tokens}${premium}`, anchor: 'start' });
    });
    sheet.width = Math.max(sheet.width, 312 + room);
  },
};

/** @param {{tokens: [number, number]|null}} sentence */
const tokensOf = ({ tokens }) => (tokens ? tokens[1] - tokens[0] : 0);
