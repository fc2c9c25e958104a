/** WordPiece: a window shrinks from the right until the vocabulary has what it shows. */
import { charactersOf, shown, tokenName } from '../names.js';
import { pointing } from '../say.js';
import { words } from '../words/index.js';
import { wordOf } from './scene.js';

const TILE = 54;
/** Tries that are drawn: the newest ones. */
const MOST_TRIES = 9;
/** Characters of a word that are drawn. */
const MOST_CHARACTERS = 40;

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

  right: ({ next }) => (next?.now.step === 'look_up' ? String(next.now.span[1]) : null),

  task: ({ isAsked }) => (isAsked ? words.wordpiece.task : words.wordpiece.taskWatch),

  sentence({ facts, state }) {
    const { now, lists } = state;
    const said = words.wordpiece;
    if (now.step === 'start') return said.start(facts.pretokens.length);
    if (now.step === 'unknown') return said.unknown(wordAt(facts, now.pretoken));
    if (now.step === 'too_long') return said.tooLong(wordAt(facts, now.pretoken));
    if (now.step === 'added') return said.added(wordAt(facts, now.pretoken));
    if (now.step !== 'look_up') return said.done(facts.ids.length);
    const tried = lists.tries[lists.tries.length - 1];
    const entry = pointing(shown(tried.entry), `t${lists.tries.length - 1}`);
    return now.found === null ? said.missing(entry) : said.found(entry, now.found);
  },

  miss({ facts, state, next }, chosen) {
    const { now } = state;
    const after = /** @type {import('./scene.js').State} */ (next).now;
    const wordEnd = facts.pretokens[after.pretoken]?.span[1];
    if (now.step === 'look_up' && now.found === null && now.pretoken === after.pretoken)
      return Number(chosen) > after.span[1] ? words.wordpiece.tooLate : words.wordpiece.tooEarly;
    return Number(chosen) === wordEnd ? words.wordpiece.tooLate : words.wordpiece.startsLong;
  },

  table({ state }) {
    return {
      caption: words.wordpiece.table,
      columns: words.wordpiece.columns,
      numeric: [1],
      rows: state.lists.tries.map((tried, n) => ({
        cells: [shown(tried.entry), tried.found === null ? words.wordpiece.not : String(tried.found)],
        ref: `t${n}`,
        isMarked: n === state.lists.tries.length - 1,
      })),
    };
  },

  draw(view, sheet) {
    const { facts, state, next, isAsked, chosen, isRevealed } = view;
    const word = wordOf(view) ?? 0;
    const part = facts.pretokens[word];
    if (!part) return;
    const all = charactersOf(facts.text).filter(({ from, to }) => from >= part.span[0] && to <= part.span[1]);
    const characters = all.slice(0, MOST_CHARACTERS);
    const unit = Math.max(26, Math.min(58, (sheet.room - 90) / Math.max(1, characters.length)));
    /** @param {number} byte */
    const x = byte => unit * characters.filter(({ to }) => to <= byte).length;
    state.lists.tokens
      .filter(({ pretoken }) => pretoken === word)
      .forEach(({ id, span }, n) => {
        sheet.box({
          x: x(span[0]) + 2,
          y: 0,
          width: Math.max(12, x(span[1]) - x(span[0]) - 4),
          height: 34,
          text: tokenName(facts, id),
          size: 18,
          colour: n,
        });
      });
    for (const { text, from } of characters)
      sheet.box({
        x: x(from) + 2,
        y: 46,
        width: unit - 4,
        height: TILE,
        text: shown(text),
        size: 24,
        className: 'plain',
      });
    const span = isAsked ? null : state.now.span;
    if (state.now.step === 'look_up' && span)
      sheet.box({
        x: x(span[0]),
        y: 43,
        width: x(span[1]) - x(span[0]),
        height: TILE + 6,
        className: state.now.found === null ? 'frame wrong' : 'frame right',
      });
    const right = isRevealed ? this.right(view) : null;
    if (isAsked && next)
      for (const { to, text } of characters.filter(each => each.from >= next.now.span[0])) {
        const key = String(to);
        const kind = chosen === key ? 'wrong' : right === key ? 'right' : '';
        sheet.round({
          x: x(to),
          y: 46 + TILE + 22,
          text: chosen === key ? '×' : '│',
          choice: key,
          className: kind,
          label: words.wordpiece.press(shown(text)),
        });
      }
    const top = 46 + TILE + (isAsked ? 50 : 20);
    const tries = state.lists.tries.slice(-MOST_TRIES);
    const before = state.lists.tries.length - tries.length;
    tries.forEach(({ entry, span: [from, to], found }, n) => {
      if (tries.length && state.now.pretoken !== word) return;
      const isFound = found !== null;
      sheet.box({
        x: x(from) + 2,
        y: top + n * 30,
        width: Math.max(20, x(to) - x(from) - 4),
        height: 26,
        text: shown(entry),
        size: 15,
        className: isFound ? 'new' : 'missed',
        ref: `t${before + n}`,
      });
      sheet.text({
        x: x(to) + 8,
        y: top + n * 30 + 13,
        text: isFound ? `✓ ${found}` : `× ${words.wordpiece.not}`,
        anchor: 'start',
        className: isFound ? 'new' : 'faint',
      });
    });
    sheet.width = Math.max(sheet.width, characters.length * unit + 90);
    sheet.height = Math.max(sheet.height, top + 4 * 30);
  },
};

/** @param {any} facts @param {number} pretoken */
const wordAt = (facts, pretoken) => shown(facts.pretokens[pretoken]?.text ?? '');
