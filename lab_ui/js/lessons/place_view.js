/**
 * Place the boundaries: the learner cuts a text where tokens end, then sees the real cuts below, with the reason of
 * each miss. Gets `text`, and `guess` (bytes of the text); reports `reveal` (detail: the guess) and `drawn`, and is
 * told the answer by `show`. As a part of a task (`isPart`) it has no button of its own; `asksCount` asks how many
 * tokens there are instead.
 */
import { LabElement, onResize } from '../ui/element.js';
import { h, setText } from '../ui/dom.js';
import { svg } from '../ui/svg.js';
import { Figure } from './figures/figure.js';
import { lettersOf, visible } from './names.js';
import { words } from './words/index.js';

/** Width of a letter, and height of a row of pieces, in px. */
const UNIT = 26;
const ROW = 38;
const BETWEEN = 30;
/** Width of a boundary that is pointed at; all between the middles of two letters is pressed. */
const MARK = 10;
/** Letters of a line that has room for words. */
const LEAST_SAID = 11;
/** Letters that are said to have boundaries inside. */
const MOST_INSIDE = 20;
/** The longest text that is cut by hand, in characters. */
export const MOST_PLACED = 300;

/** @typedef {import('../api/schema.d.ts').MarkedBoundaries} MarkedBoundaries */

export class PlaceView extends LabElement {
  /** @type {{text: string, from: number, to: number}[]} */
  #letters = [];
  /** @type {Set<number>} */
  #guess = new Set();
  /** @type {MarkedBoundaries|null} */
  #answer = null;
  #asksCount = false;
  /** The name of the tokenizer whose tokens are meant; '': the task says it. */
  tokenizer = '';
  /** In a class: which reason is shown, -1 for the score; null: all of them. @type {number|null} */
  #reason = null;
  #task = h('p', { class: 'lesson-task' });
  #mark = h('span', { class: 'dim' });
  #figure = new Figure({
    least: 320,
    margin: 8,
    choose: key => this.#choose(Number(key)),
    fallback: () => this.#reveal,
  });
  #score = h('p', { class: 'lesson-sentence', role: 'status' });
  #reasons = h('ol', { class: 'place-reasons' });
  /** Boundaries that nobody can see. */
  #insides = h('ul', { class: 'place-insides dim' });
  #reveal = h('button', { type: 'button', class: 'button primary', onclick: () => this.#onReveal() });

  render() {
    this.append(
      h(
        'div',
        { class: 'lesson-page' },
        h('div', { class: 'lesson-head' }, this.#task, h('div', { class: 'lesson-side' }, this.#mark)),
        this.#figure.element,
        this.#score,
        this.#reasons,
        this.#insides,
        h('p', {}, this.#reveal),
      ),
    );
  }

  /** @param {AbortSignal} life */
  connected(life) {
    onResize(this, () => this.#draw(), life);
  }

  /** Begins anew. @param {string} text */
  set text(text) {
    if (this.#reason !== null) this.#reason = -1;
    this.#letters = lettersOf(text);
    this.#guess.clear();
    this.#answer = null;
    this.#draw();
  }

  /** Bytes of the text, in order. @param {number[]} bytes */
  set guess(bytes) {
    this.#guess = new Set(bytes);
    this.#draw();
  }
  get guess() {
    return [...this.#guess].sort((a, b) => a - b);
  }

  /** @param {boolean} isPart */
  set isPart(isPart) {
    this.#reveal.hidden = isPart;
  }

  /** @param {boolean} asksCount */
  set asksCount(asksCount) {
    this.#asksCount = asksCount;
  }

  /** What is asked, in a class: nothing that has choices. */
  question = null;
  place = '';
  get isCovered() {
    return this.#answer === null;
  }
  get canGoOn() {
    return this.isCovered || (this.#reason ?? 0) + 1 < this.#missed.length;
  }

  /** Letters with token boundaries inside of them, which nobody can see. */
  get #inside() {
    const { tokens = [], places = [] } = this.#answer ?? {};
    const marked = new Set(places.map(({ at }) => at));
    const ends = [...new Set(tokens.map(([, end]) => end))].filter(at => !marked.has(at));
    return this.#letters
      .map(({ text, from, to }) => ({ text, cuts: ends.filter(at => at > from && at < to) }))
      .filter(({ cuts }) => cuts.length);
  }

  /** The places with a reason. */
  get #missed() {
    return this.#asksCount ? [] : (this.#answer?.places ?? []).filter(({ number }) => number !== null);
  }

  /** Goes on as a clicker does: to the answer, then to each reason. @returns {boolean} false: this was the last */
  goOn() {
    if (!this.canGoOn) return false;
    if (this.isCovered) this.emit('reveal', this.guess);
    else {
      this.#reason = (this.#reason ?? -1) + 1;
      this.#draw();
    }
    return true;
  }

  /** Goes back by a reason, then covers the answer. @returns {boolean} false: it is covered */
  goBack() {
    const isRevealed = this.#answer !== null;
    if ((this.#reason ?? -1) >= 0) this.#reason = Number(this.#reason) - 1;
    else this.#answer = null;
    this.#draw();
    return isRevealed;
  }

  /** Draws it for a class. @param {number} zoom at most */
  present(zoom) {
    this.#figure.zoom = zoom;
    this.#reason ??= -1;
    this.#draw();
  }

  /** @param {MarkedBoundaries} answer to the guess */
  show(answer) {
    this.#answer = answer;
    this.#draw();
  }

  /** The figure and what it shows, to be saved. */
  get picture() {
    return { element: this.#figure.picture, caption: this.#score.textContent ?? '' };
  }

  focusWork() {
    this.#figure.focus();
  }

  #onReveal() {
    if (this.#answer) {
      this.#guess.clear();
      this.#answer = null;
      this.#draw();
    } else this.emit('reveal', this.guess);
  }

  /** @param {number} at byte of the text */
  #choose(at) {
    if (!this.#guess.delete(at)) this.#guess.add(at);
    this.#draw();
  }

  #draw() {
    const answer = this.#answer;
    this.#figure.draw(sheet => this.#drawRows(sheet));
    const asks = words.place[this.#asksCount ? 'count' : 'task'](this.tokenizer);
    const tells = this.#asksCount ? words.place.counted(answer?.tokens.length ?? 0) : words.place.taskRevealed;
    setText(this.#task, answer ? tells : asks);
    setText(this.#mark, this.#letters.some(({ text }) => text === ' ') ? words.view.space : '');
    setText(this.#reveal, answer ? words.place.again : words.place.reveal);
    const at = this.#reason;
    this.#score.hidden = this.#asksCount || (at ?? -1) >= 0;
    setText(this.#score, answer ? words.place.score(answer) : words.place.placed(this.#guess.size));
    this.#reasons.replaceChildren(
      ...this.#missed
        .filter((_, n) => at === null || n === at)
        .map((place, n, missed) =>
          h(
            'li',
            {
              'data-mark': place.mark,
              value: Number(place.number),
              // A boundary that was placed beside its own: the second half of what is said of it.
              class: missed[n - 1]?.number === place.number ? 'joined' : '',
            },
            h('b', {}, words.place.marks[/** @type {'missing'|'extra'} */ (place.mark)]),
            ' ',
            h('code', {}, this.#around(this.#seen(place))),
            ' ',
            reasonOf(place),
          ),
        ),
    );
    const inside = this.#asksCount ? [] : this.#inside;
    this.#insides.replaceChildren(
      ...inside
        .slice(0, MOST_INSIDE)
        .map(({ text, cuts }) => h('li', {}, words.place.inside(visible(text), cuts.length))),
    );
    this.#insides.hidden = !inside.length || at !== null;
    this.emit('drawn');
  }

  /** Where a boundary can be seen: of text that no token stands for, behind its first letter. */
  #seen(/** @type {{at: number, until: number}} */ { at, until }) {
    return this.#letters.find(({ to }) => to >= at && to <= until)?.to ?? at;
  }

  /** The text on both sides of a place. @param {number} at */
  #around(at) {
    const before = this.#letters.filter(({ to }) => to <= at).slice(-6);
    const after = this.#letters.filter(({ from }) => from >= at).slice(0, 6);
    /** @param {{text: string}[]} some */
    const join = some => visible(some.map(({ text }) => text).join(''));
    return `${join(before)}│${join(after)}`;
  }

  /** @param {import('./figures/sheet.js').Sheet} sheet */
  #drawRows(sheet) {
    const most = Math.max(8, Math.floor(sheet.room / UNIT));
    const answer = this.#answer;
    const size = this.#letters[this.#letters.length - 1]?.to ?? 0;
    const height = 2 * ROW + 2 * BETWEEN;
    for (const [row, line] of linesOf(this.#letters, most).entries()) {
      const top = row * height;
      const [from, to] = [line[0].from, line[line.length - 1].to];
      /** A place inside of a letter, too, by its share of the bytes. @param {number} byte */
      const x = byte => {
        const n = line.filter(({ to: end }) => end <= byte).length;
        const inside = line[n] && byte > line[n].from ? (byte - line[n].from) / (line[n].to - line[n].from) : 0;
        return UNIT * (n + inside);
      };
      const cuts = [from, ...this.guess.filter(at => at > from && at < to), to];
      cuts.slice(0, -1).forEach((cut, n) =>
        sheet.box({
          x: x(cut) + 1,
          y: top,
          width: x(cuts[n + 1]) - x(cut) - 2,
          height: ROW,
          className: 'other',
        }),
      );
      line.forEach((letter, n) =>
        sheet.text({
          x: (n + 0.5) * UNIT,
          y: top + ROW / 2,
          text: visible(letter.text),
          size: 20,
          className: 'letter',
        }),
      );
      if (answer) {
        answer.tokens.forEach(([start, end], n) => {
          const [left, right] = [Math.max(start, from), Math.min(end, to)];
          if (left >= right) return;
          sheet.box({
            x: x(left) + 1,
            y: top + ROW + BETWEEN,
            width: Math.max(1, x(right) - x(left) - 2),
            height: ROW,
            colour: n,
          });
        });
        line.forEach((letter, n) =>
          sheet.text({
            x: (n + 0.5) * UNIT,
            y: top + ROW + BETWEEN + ROW / 2,
            text: visible(letter.text),
            size: 20,
            className: 'letter on-token',
          }),
        );
        for (const at of this.#asksCount ? [] : this.#inside.flatMap(letter => letter.cuts))
          if (at > from && at < to) sheet.path(`M${x(at)} ${top + ROW + BETWEEN}v${ROW}`, { className: 'cut inside' });
        for (const { mark, number, ...gap } of this.#asksCount ? [] : answer.places) {
          const at = this.#seen(gap);
          if (at <= from || at > to || at >= size) continue;
          sheet.path(`M${x(at)} ${top - 3}V${top + 2 * ROW + BETWEEN + 3}`, { className: `cut ${mark}` });
          if (number !== null)
            sheet.round({
              x: x(at),
              y: top + ROW + BETWEEN / 2,
              r: 9,
              text: String(number),
              className: `number-${mark}`,
            });
        }
      } else {
        sheet.box({
          x: 1,
          y: top + ROW + BETWEEN,
          width: x(to) - 2,
          height: ROW,
          text: line.length > LEAST_SAID ? words.place.closed : '?',
          size: 13,
          className: 'missed closed',
        });
        for (const letter of line) {
          if (letter.to >= size || this.#asksCount) continue;
          const isSet = this.#guess.has(letter.to);
          const group = sheet.box({
            x: x(letter.to) - UNIT / 2,
            y: top - 3,
            width: UNIT,
            height: ROW + 16,
            choice: String(letter.to),
            label: words.place.press(visible(letter.text), isSet),
            className: isSet ? 'handle set' : 'handle',
          });
          group.setAttribute('aria-pressed', String(isSet));
          const shape = { width: MARK, height: ROW + 16, rx: 4 };
          group.append(svg('rect', { x: x(letter.to) - MARK / 2, y: top - 3, ...shape }));
        }
      }
    }
    sheet.height = Math.max(sheet.height, height - BETWEEN);
  }
}

/**
 * Lines of whole words, each with the space before it, as most tokens have it; a word that is longer than a line goes
 * on in the next one.
 * @template {{text: string}} Letter
 * @param {Letter[]} letters @param {number} most letters of a line
 */
export function linesOf(letters, most) {
  const lines = [];
  for (let from = 0, to; from < letters.length; from = to) {
    to = Math.min(from + most, letters.length);
    const space = letters.slice(from, to + 1).findLastIndex(({ text }) => text === ' ');
    if (to < letters.length && space > 0) to = from + space;
    lines.push(letters.slice(from, to));
  }
  return lines;
}

/** @param {MarkedBoundaries['places'][number]} place */
function reasonOf({ kind, reason }) {
  if (!reason) return words.place.leftOut;
  return kind ? reason.reason.replace(/“([^”]*)”/g, (_, text) => `“${visible(text)}”`) : words.place.noReason;
}

customElements.define('place-view', PlaceView);
