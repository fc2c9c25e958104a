/** WordPiece: a window shrinks from the right until the vocabulary has what it shows. */
import { pretokenName, tokenName } from '../names.js';
import { pointing } from '../say.js';
import { words } from '../words/index.js';
import { drawTokens, tokenTable } from './last_tokens.js';
import { wordOf } from './scene.js';

const TILE = 54;
/** Tries that are drawn: the newest ones. */
const MOST_TRIES = 9;
/** The usual mark of a piece inside of a word. */
const MARK = '##';

/** @type {import('./scene.js').Scene} */
export const wordpieceEncode = {
  name: 'wordpiece-encode',
  group: 'encoding',
  model: 'WordPiece',
  example: 'unaffordable tokenizers',

  stop(now, facts) {
    if (now.step === 'start') return words.stops.start;
    if (now.step === 'done') return words.stops.done;
    if (now.step === 'unknown') return words.stops.unknown;
    return now.step === 'look_up' && now.found !== null ? tokenName(facts, now.found) : '';
  },

  asks: next => next.step === 'look_up',

  right: ({ facts, next }) => (next ? String(windowOf(facts, next).to) : null),

  task({ isAsked, state }) {
    if (isAsked) return words.wordpiece.task;
    return state.now.step === 'done' ? words.wordpiece.taskDone : words.wordpiece.taskWatch;
  },

  sentence({ facts, state }) {
    const { now, lists } = state;
    const said = words.wordpiece;
    if (now.step === 'start') return said.start(facts.pretokens.length);
    if (now.step === 'unknown') return said.unknown(wordAt(facts, now.pretoken));
    if (now.step === 'too_long') return said.tooLong(wordAt(facts, now.pretoken));
    if (now.step === 'added') return said.added(wordAt(facts, now.pretoken));
    if (now.step !== 'look_up') return said.done(facts.ids.length);
    const tried = lists.tries[lists.tries.length - 1];
    const entry = pointing(pretokenName(facts, tried.entry), `t${lists.tries.length - 1}`);
    return now.found === null ? said.missing(entry) : said.found(entry, now.found);
  },

  miss({ facts, state, next }, chosen) {
    const after = /** @type {import('./scene.js').State} */ (next);
    const { now } = state;
    if (now.step === 'look_up' && now.found === null && now.pretoken === after.now.pretoken)
      return Number(chosen) > windowOf(facts, after).to ? words.wordpiece.tooLate : words.wordpiece.tooEarly;
    return words.wordpiece.startsLong;
  },

  table({ facts, state }) {
    if (state.now.step === 'done') return tokenTable(facts, state.lists.tokens);
    return {
      caption: words.wordpiece.table,
      columns: words.wordpiece.columns,
      numeric: [1],
      rows: state.lists.tries.map((tried, n) => ({
        cells: [pretokenName(facts, tried.entry), tried.found === null ? words.wordpiece.not : String(tried.found)],
        ref: `t${n}`,
        isMarked: n === state.lists.tries.length - 1,
      })),
    };
  },

  draw(view, sheet, markOf) {
    const { facts, state, next, isAsked } = view;
    if (state.now.step === 'done') return drawTokens(facts, state.lists.tokens, sheet);
    const word = wordOf(view) ?? 0;
    const part = facts.pretokens[word];
    if (!part) return;
    const characters = Array.from(part.text);
    const unit = Math.max(26, Math.min(58, (sheet.room - 90) / Math.max(1, characters.length)));
    const found = state.lists.tokens.filter(({ pretoken }) => pretoken === word);
    let at = 0;
    found.forEach(({ id }, n) => {
      const text = tokenName(facts, id);
      const length = Math.max(1, Array.from(text).length - (n && text.startsWith(MARK) ? MARK.length : 0));
      const width = Math.max(12, Math.min(length, characters.length - at) * unit - 4);
      sheet.box({ x: at * unit + 2, y: 0, width, height: 34, text, size: 18, colour: n });
      at += length;
    });
    characters.forEach((text, n) =>
      sheet.box({
        x: n * unit + 2,
        y: 46,
        width: unit - 4,
        height: TILE,
        text: pretokenName(facts, text),
        size: 24,
        className: 'plain',
      }),
    );
    const isHere = state.now.step === 'look_up' && state.now.pretoken === word;
    if (isHere && !isAsked) {
      const { from, to } = windowOf(facts, state);
      sheet.box({
        x: from * unit,
        y: 43,
        width: (to - from) * unit,
        height: TILE + 6,
        className: state.now.found === null ? 'frame wrong' : 'frame right',
      });
      sheet.focus = to * unit;
    }
    if (isAsked && next) {
      const { from, to } = windowOf(facts, next);
      sheet.focus = to * unit;
      for (let end = from + 1; end <= characters.length; end++) {
        const key = String(end);
        sheet.round({
          x: end * unit,
          y: 46 + TILE + 22,
          text: markOf(key) === 'wrong' ? '×' : '│',
          choice: key,
          className: markOf(key),
          label: words.wordpiece.press(pretokenName(facts, characters[end - 1])),
        });
      }
    }
    const top = 46 + TILE + (isAsked ? 50 : 20);
    const tries = isHere ? state.lists.tries.slice(-MOST_TRIES) : [];
    const before = state.lists.tries.length - tries.length;
    tries.forEach(({ entry, found: id }, n) => {
      const { from, to } = windowOf(facts, state, before + n);
      sheet.box({
        x: from * unit + 2,
        y: top + n * 30,
        width: Math.max(20, (to - from) * unit - 4),
        height: 26,
        text: pretokenName(facts, entry),
        size: 15,
        className: id === null ? 'missed' : 'new',
        ref: `t${before + n}`,
      });
      sheet.text({
        x: to * unit + 8,
        y: top + n * 30 + 13,
        text: id === null ? `× ${words.wordpiece.not}` : `✓ ${id}`,
        anchor: 'start',
        className: id === null ? 'faint' : 'new',
      });
    });
    sheet.width = Math.max(sheet.width, characters.length * unit + 90);
    sheet.height = Math.max(sheet.height, top + 4 * 30);
  },
};

/**
 * The window of a look-up, in characters of the word. The first look-up at a place has all that is left of the word,
 * behind the mark of a piece inside of it.
 * @param {any} facts @param {import('./scene.js').State} state @param {number} [n] of the look-up; else the last one
 * @returns {{from: number, to: number}}
 */
function windowOf(facts, { now, lists }, n = lists.tries.length - 1) {
  const word = facts.pretokens[now.pretoken].text;
  const [first] = lists.tries;
  let mark = 0;
  while (mark < first.entry.length && !word.endsWith(first.entry.slice(mark))) mark++;
  const from = Array.from(word).length - Array.from(first.entry.slice(mark)).length;
  return { from, to: from + Array.from(lists.tries[n].entry.slice(mark)).length };
}

/** @param {any} facts @param {number} pretoken */
const wordAt = (facts, pretoken) => pretokenName(facts, facts.pretokens[pretoken]?.text ?? '');
