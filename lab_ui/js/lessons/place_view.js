/**
 * Place the boundaries: the learner cuts a text where tokens end, then sees the real cuts below, with the reason of
 * each miss. Gets `text`, and `guess` (bytes of the text); reports `reveal` (detail: the guess), and is told the answer
 * by `show`. As a part of a task (`isPart`) it has no button of its own.
 */
import { LabElement, onResize } from '../ui/element.js';
import { h, setText } from '../ui/dom.js';
import { Figure } from './figures/figure.js';
import { charactersOf, shown } from './names.js';
import { words } from './words/index.js';

/** Width of a character, and height of a row of pieces, in px. */
const UNIT = 26;
const ROW = 38;
const BETWEEN = 30;
/** The longest text that is cut by hand, in characters. */
export const MOST_PLACED = 300;

/** @typedef {import('../api/schema.d.ts').MarkedBoundaries} MarkedBoundaries */

export class PlaceView extends LabElement {
  /** @type {{text: string, from: number, to: number}[]} */
  #characters = [];
  /** @type {Set<number>} */
  #guess = new Set();
  /** @type {MarkedBoundaries|null} */
  #answer = null;
  #task = h('p', { class: 'lesson-task' });
  #figure = new Figure({
    least: 320,
    margin: 8,
    choose: key => this.#choose(Number(key)),
    fallback: () => this.#reveal,
  });
  #score = h('p', { class: 'lesson-sentence', role: 'status' });
  #reasons = h('ol', { class: 'place-reasons' });
  #reveal = h('button', { type: 'button', class: 'button primary', onclick: () => this.#onReveal() });

  render() {
    this.append(
      h(
        'div',
        { class: 'lesson-page' },
        this.#task,
        this.#figure.element,
        this.#score,
        this.#reasons,
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
    this.#characters = charactersOf(text);
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
    setText(this.#task, answer ? words.place.taskRevealed : words.place.task);
    setText(this.#reveal, answer ? words.place.again : words.place.reveal);
    setText(this.#score, answer ? words.place.score(answer) : words.place.placed(this.#guess.size));
    this.#reasons.replaceChildren(
      ...(answer?.places ?? [])
        .filter(place => place.number !== null)
        .map(place =>
          h(
            'li',
            { 'data-mark': place.mark, value: Number(place.number) },
            h('b', {}, words.place.marks[/** @type {'missing'|'extra'} */ (place.mark)]),
            ' ',
            h('span', { class: 'mono' }, this.#around(place.at)),
            ' ',
            reasonOf(place),
          ),
        ),
    );
  }

  /** The text on both sides of a place. @param {number} at */
  #around(at) {
    const before = this.#characters.filter(({ to }) => to <= at).slice(-6);
    const after = this.#characters.filter(({ from }) => from >= at).slice(0, 6);
    /** @param {{text: string}[]} some */
    const join = some => shown(some.map(({ text }) => text).join(''));
    return `${join(before)}│${join(after)}`;
  }

  /** @param {import('./figures/sheet.js').Sheet} sheet */
  #drawRows(sheet) {
    const most = Math.max(8, Math.floor(sheet.room / UNIT));
    const answer = this.#answer;
    const size = this.#characters[this.#characters.length - 1]?.to ?? 0;
    const height = 2 * ROW + 2 * BETWEEN;
    for (let first = 0; first < this.#characters.length; first += most) {
      const line = this.#characters.slice(first, first + most);
      const top = (first / most) * height;
      const [from, to] = [line[0].from, line[line.length - 1].to];
      /** @param {number} byte */
      const x = byte => UNIT * line.filter(character => character.to <= byte).length;
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
      line.forEach((character, n) =>
        sheet.text({
          x: (n + 0.5) * UNIT,
          y: top + ROW / 2,
          text: shown(character.text),
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
            width: Math.max(4, x(right) - x(left) - 2),
            height: ROW,
            colour: n,
          });
        });
        line.forEach((character, n) =>
          sheet.text({
            x: (n + 0.5) * UNIT,
            y: top + ROW + BETWEEN + ROW / 2,
            text: shown(character.text),
            size: 20,
            className: 'letter on-token',
          }),
        );
        for (const { at, mark, number } of answer.places) {
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
          text: '?',
          className: 'missed closed',
        });
        for (const character of line) {
          if (character.to >= size) continue;
          const isSet = this.#guess.has(character.to);
          const group = sheet.box({
            x: x(character.to) - 5,
            y: top - 3,
            width: 10,
            height: ROW + 16,
            choice: String(character.to),
            label: words.place.press(shown(character.text), isSet),
            className: isSet ? 'handle set' : 'handle',
          });
          group.setAttribute('aria-pressed', String(isSet));
        }
      }
    }
    sheet.height = Math.max(sheet.height, height - BETWEEN);
  }
}

/** @param {MarkedBoundaries['places'][number]} place */
function reasonOf({ kind, reason }) {
  if (!reason) return words.place.leftOut;
  return kind ? reason.reason : words.place.noReason;
}

customElements.define('place-view', PlaceView);
