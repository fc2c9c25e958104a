/**
 * Everything about one token. Gets `show` for each token; reports `step` (detail: -1 or 1) for the neighbouring token,
 * as the left and right arrow keys inside it do, and `deselect`.
 */
import { LabElement } from '../../ui/element.js';
import { codePoint, count, hexByte, ratio } from '../../util/format.js';
import { actionButton, h } from '../../ui/dom.js';
import { ICONS, icon } from '../../ui/icons.js';
import { scriptWords } from '../../text/token_colour.js';
import { extent, sharing } from '../../text/token_facts.js';
import { nameOf } from '../../text/visible_text.js';
import { stripes, visibleNodes } from '../../ui/tokens/token_spans_text.js';

const MOST_SHOWN = 24;

/**
 * @typedef {import('../../text/token_facts.js').TokenFacts} TokenFacts
 * @typedef {import('../../api/schema.d.ts').VocabularyToken} Entry
 * @typedef {Object} Shown
 * @property {TokenFacts} facts @property {string} place "token 3 of 20"
 * @property {boolean} isFirst @property {boolean} isLast
 * @property {[number, number]|null} spanChar @property {number|null} mergeCount of the tokenizer
 * @property {(token: number) => string} colour
 * @property {Entry|undefined} entry undefined: not known yet
 */

export class TokenDrawer extends LabElement {
  #hero = h('div', { class: 'hero' });
  #table = h('dl', { class: 'fact-list token-facts' });
  #number = h('h2', { class: 'number' });
  /** @type {HTMLButtonElement} */
  #back;
  /** @type {HTMLButtonElement} */
  #on;
  /** @type {Map<string, {name: HTMLElement, value: HTMLElement}>} */
  #rows = new Map();

  render() {
    /** @param {-1|1} by */
    const step = by => () => this.emit('step', by);
    this.#back = actionButton(icon(ICONS.back, 16), step(-1), {
      class: 'button',
      'aria-label': 'Previous token',
      title: 'Previous token (left arrow)',
    });
    this.#on = actionButton(icon(ICONS.on, 16), step(1), {
      class: 'button',
      'aria-label': 'Next token',
      title: 'Next token (right arrow)',
    });
    this.append(
      h(
        'div',
        { class: 'drawer-head' },
        this.#number,
        h('span', { class: 'grow' }),
        this.#back,
        this.#on,
        actionButton(icon(ICONS.cross, 16), () => this.emit('deselect'), {
          class: 'button',
          'aria-label': 'Deselect the token',
          title: 'Deselect the token (Esc)',
        }),
      ),
      this.#hero,
      this.#table,
    );
    this.addEventListener('keydown', event => {
      const isBack = event.key === 'ArrowLeft';
      if (!(isBack || event.key === 'ArrowRight') || event.altKey || event.ctrlKey) return;
      event.preventDefault();
      step(isBack ? -1 : 1)();
    });
    this.show(null);
  }

  /** @param {Shown|null} token */
  show(token) {
    this.#table.hidden = this.#hero.hidden = !token;
    this.#back.disabled = !token || token.isFirst;
    this.#on.disabled = !token || token.isLast;
    if (!token) {
      this.#number.textContent = 'No token';
      return;
    }
    const { facts, place } = token;
    this.#number.textContent = place[0].toUpperCase() + place.slice(1);
    this.#drawHero(facts, token.entry, token.colour);
    this.#drawTable(token);
  }

  /** @param {TokenFacts} facts @param {Entry|undefined} entry @param {(token: number) => string} colour */
  #drawHero(facts, entry, colour) {
    const face = h('bdi', { class: 'face' });
    if (facts.added) {
      face.classList.add('pill');
      face.textContent = entry?.text ?? '…';
    } else {
      face.append(...visibleNodes(shortened(facts.source)));
      const owners = facts.characters.length === 1 ? facts.characters[0].owners : [facts.token];
      face.style.backgroundImage = stripes(owners.map(colour));
    }
    const words = facts.added ? 'added by the postprocessor; no text' : sharing(facts) || extent(facts.source);
    this.#hero.replaceChildren(
      face,
      h('span', { class: 'dim' }, words, facts.unknown ? h('span', { class: 'warning' }, ' · unknown token') : null),
    );
  }

  /** @param {Shown} token */
  #drawTable({ facts, spanChar, entry, mergeCount, colour }) {
    const order = orderFact(entry, mergeCount);
    /** @type {[name: string, value: Node|string|null][]} */
    const rows = [
      ['id', h('span', { class: 'mono number' }, String(facts.id))],
      ['bytes', facts.added ? h('span', { class: 'dim' }, 'none of the text') : bytesOf(facts, colour)],
      ['characters', facts.added ? h('span', { class: 'dim' }, 'none') : charactersOf(facts)],
      ['byte span', h('span', { class: 'mono number' }, facts.added ? '–' : `${facts.span8[0]}–${facts.span8[1]}`)],
      [
        'char span',
        h('span', { class: 'mono number' }, facts.added || !spanChar ? '–' : `${spanChar[0]}–${spanChar[1]}`),
      ],
      ['in vocabulary', entry ? entryNodes(entry) : h('span', { class: 'dim' }, '…')],
      ['rank', order.merge],
      ['score', order.score],
      ['special', facts.special ? 'yes' : 'no'],
      ['script', facts.added ? '–' : scriptWords(facts.source)],
    ];
    // Rows keep their elements, so that the drawer does not jump and a selection in it survives.
    for (const [name, value] of rows) {
      let row = this.#rows.get(name);
      if (!row) {
        row = { name: h('dt', {}, name), value: h('dd') };
        this.#rows.set(name, row);
        this.#table.append(row.name, row.value);
      }
      row.name.hidden = row.value.hidden = value === null;
      row.value.replaceChildren(value ?? '');
    }
  }
}

/**
 * Where a token stands in its model: the merge that makes it, or its score. WordPiece and WordLevel have neither.
 * @param {Entry|undefined} entry undefined: not known yet
 * @param {number|null} mergeCount
 */
function orderFact(entry, mergeCount) {
  const merge =
    mergeCount === null
      ? null
      : entry === undefined
        ? '…'
        : entry.rank === null
          ? 'no merge'
          : `${count(entry.rank)} of ${count(mergeCount)}`;
  return {
    merge:
      merge &&
      h(
        'span',
        { class: 'number', title: 'Its place in the list of merges, counted from 0: the lowest merges first' },
        merge,
      ),
    score:
      typeof entry?.score === 'number'
        ? h('span', { class: 'number', title: 'Natural logarithm of its probability' }, ratio(entry.score))
        : null,
  };
}

/** @param {string} text */
const shortened = text => {
  const all = [...text];
  return all.length > MOST_SHOWN ? `${all.slice(0, MOST_SHOWN).join('')}…` : text;
};

/**
 * All bytes of the characters the token touches; its own are filled, the rest belongs to its neighbours.
 * @param {TokenFacts} facts @param {(token: number) => string} colour
 */
function bytesOf({ characters, token }, colour) {
  const list = h('span', { class: 'byte-list' });
  for (const { bytes, mine, text } of characters.slice(0, MOST_SHOWN)) {
    bytes.forEach((byte, n) => {
      const own = n >= mine[0] && n < mine[1];
      const cell = h(
        'span',
        { class: own ? 'byte mine' : 'byte', title: own ? `byte of ${text}` : `byte of ${text}, in another token` },
        hexByte(byte),
      );
      if (own) cell.style.backgroundColor = colour(token);
      list.append(cell);
    });
  }
  if (characters.length > MOST_SHOWN) list.append(h('span', { class: 'dim' }, '…'));
  return list;
}

/** @param {TokenFacts} facts */
function charactersOf({ characters, token }) {
  return h(
    'span',
    { class: 'character-list' },
    ...characters
      .slice(0, MOST_SHOWN)
      .map(({ text, owners }) =>
        h(
          'span',
          { class: 'character' },
          owners.length > 1 ? h('span', {}, `part ${owners.indexOf(token) + 1} of ${owners.length} of `) : null,
          h('bdi', {}, ...visibleNodes(text)),
          ' ',
          h('span', { class: 'mono faint' }, codePoint(text)),
        ),
      ),
  );
}

/** @param {Entry} entry */
function entryNodes({ text, bytes }) {
  if (text === null)
    return h(
      'span',
      { class: 'mono' },
      bytes.toUpperCase().match(/../g)?.join(' ') ?? '',
      h('span', { class: 'faint' }, ' (not whole characters)'),
    );
  return h('bdi', { class: 'mono' }, ...(text ? visibleNodes(text) : [nameOf(0)]));
}

customElements.define('token-drawer', TokenDrawer);
