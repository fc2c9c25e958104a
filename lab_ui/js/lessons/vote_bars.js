/**
 * The votes of a class: keys count them, bars show them once the answer is revealed. They live here alone. Gets `ask`
 * for what is asked now.
 */
import { h, setText } from '../ui/dom.js';
import { LabElement } from '../ui/element.js';
import { words } from './words/index.js';

/** Keys of choices, in their order: no letter that a presentation uses. */
export const VOTE_KEYS = [...'123456789acdeghijkmnoqrsuvwxyz'];
/** Bars that have room. */
const MOST_BARS = 6;

export class VoteBars extends LabElement {
  /** Whether keys alone are commands, as votes are. */
  hasKeys = true;
  #asked = '';
  /** @type {{key: string, label: string}[]} */
  #choices = [];
  /** The choices that were voted for, by their numbers. @type {number[]} */
  #given = [];
  /** @type {string|null} */
  #right = null;
  #total = h('p', { class: 'vote-total', role: 'status' });
  #below = h('div', {});

  render() {
    this.role = 'group';
    this.ariaLabel = words.vote.group;
    this.append(this.#total, this.#below);
  }

  /**
   * Shows the votes for a question. Another question begins without votes.
   * @param {string} id of the question
   * @param {import('./lesson_view.js').LessonView['question']} question null: nothing is asked
   */
  ask(id, question) {
    this.hidden = !question;
    if (!question) return;
    if (id !== this.#asked) this.#given = [];
    this.#asked = id;
    this.#choices = question.choices.slice(0, VOTE_KEYS.length);
    this.#right = question.right;
    this.#draw();
  }

  /** Forgets all votes: another room comes. */
  clear() {
    this.#asked = '';
    this.#given = [];
  }

  /** What can be voted for: nothing once the answer is there. */
  get open() {
    return this.hidden || this.#right !== null ? [] : this.#choices;
  }

  /** @param {number} n of a choice, from 0 */
  vote(n) {
    if (!this.open[n]) return;
    this.#given.push(n);
    this.#draw();
  }

  takeBack() {
    if (!this.open.length) return;
    this.#given.pop();
    this.#draw();
  }

  /** The choice with the most votes, the first of equal ones; null: nobody voted. @returns {string|null} its key */
  get most() {
    if (!this.#given.length) return null;
    const counts = this.#counts;
    return this.#choices[counts.indexOf(Math.max(...counts))].key;
  }

  get #counts() {
    return this.#choices.map((_, n) => this.#given.filter(given => given === n).length);
  }

  #draw() {
    const total = this.#given.length;
    setText(this.#total, words.vote.total(total));
    if (this.#right === null)
      this.#below.replaceChildren(h('p', { class: 'dim' }, this.hasKeys ? words.vote.how : words.vote.off));
    else this.#below.replaceChildren(...(total ? [h('ol', {}, ...this.#bars())] : []));
  }

  #bars() {
    const counts = this.#counts;
    const most = Math.max(...counts);
    const bars = this.#choices.map(({ key, label }, n) => ({
      n,
      label,
      count: counts[n],
      isRight: key === this.#right,
    }));
    const shown = bars
      .filter(({ count, isRight }) => count || isRight)
      .sort((a, b) => Number(b.isRight) - Number(a.isRight) || b.count - a.count)
      .slice(0, MOST_BARS)
      .sort((a, b) => a.n - b.n);
    return shown.map(({ n, label, count, isRight }) => {
      const bar = h('span', { class: 'vote-bar' });
      bar.style.setProperty('--part', String(count / most));
      return h(
        'li',
        { 'data-state': isRight ? 'right' : '' },
        h('kbd', {}, VOTE_KEYS[n]),
        h('bdi', {}, label),
        h('b', { class: 'number' }, `${count}${isRight ? ` ✓ ${words.vote.right}` : ''}`),
        bar,
      );
    });
  }
}

customElements.define('vote-bars', VoteBars);
