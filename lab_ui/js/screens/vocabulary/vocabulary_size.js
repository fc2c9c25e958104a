/**
 * Previews a text under the same tokenizer with fewer tokens: a slider for the size of the vocabulary, and the tokens
 * of the text. Gets `size` and `show`; reports `truncate` (detail: {size, text}; size null for all) and `sizechange`
 * (detail: the size that was chosen, null for all).
 */
import { LabElement } from '../../ui/element.js';
import { h } from '../../ui/dom.js';
import { difference } from '../../text/figures.js';
import { count, percent, plural, ratio } from '../../util/format.js';
import { placeOf, sizeAt } from '../../api/vocabulary_query.js';
import { tokenFaces } from '../../ui/tokens/token_spans_text.js';
import { part } from '../../ui/facts.js';

const STEPS = 1000;
const MOST_CHARACTERS = 4000;

export class VocabularySize extends LabElement {
  /** @type {HTMLInputElement} */
  #slider;
  #size = h('output', { class: 'big number', 'data-role': 'size-value' });
  #text = h('textarea', {
    rows: 4,
    maxLength: MOST_CHARACTERS,
    spellcheck: false,
    'aria-label': 'Text to preview',
    'data-role': 'size-text',
    oninput: () => this.#ask(),
  });
  #facts = h('dl', { class: 'size-facts' });
  #tokens = h('div', {
    class: 'size-tokens',
    'data-role': 'size-tokens',
    role: 'group',
    'aria-label': 'Tokens of the text',
    tabIndex: 0,
  });
  /** @type {HTMLDivElement} */
  #body;
  #refusal = h('p', { class: 'empty-words dim' });
  #sizes = /** @type {[number, number]|null} */ (null);
  #place = STEPS;
  /** @type {number|null} */
  #wanted = null;

  render() {
    this.#slider = h('input', {
      type: 'range',
      min: '0',
      max: String(STEPS),
      value: String(STEPS),
      'aria-label': 'Vocabulary size',
      'data-role': 'size-slider',
      oninput: () => {
        this.#place = Number(this.#slider.value);
        this.#label();
        this.emit('sizechange', this.#asked);
        this.#ask();
      },
    });
    this.#body = h(
      'div',
      {},
      part(
        'Vocabulary size',
        h('div', { class: 'size-value' }, this.#size, h('span', { class: 'dim' }, 'tokens')),
        this.#slider,
        h('div', { class: 'bar-axis faint number', 'aria-hidden': 'true' }),
      ),
      h('section', { class: 'panel-part' }, this.#facts),
      part('Preview', this.#text, this.#tokens),
    );
    this.append(this.#refusal, this.#body);
    this.refuse('');
  }

  /** A text to begin with. @param {string} text */
  set text(text) {
    if (!this.#text.value) this.#text.value = [...text].slice(0, 600).join('');
  }

  /** A size to begin with; null: all. @param {number|null} size */
  set size(size) {
    this.#wanted = size;
    if (size === null) this.#place = STEPS;
    if (this.#sizes) this.#adoptSize(this.#sizes);
    this.#slider.value = String(this.#place);
  }

  /** Another tokenizer: the place of the slider stays, its sizes are new. */
  restart() {
    this.#sizes = null;
    this.#ask();
  }

  /** @param {string} reason why the vocabulary cannot be shrunk; empty: it can */
  refuse(reason) {
    this.#refusal.hidden = !reason;
    this.#refusal.textContent = reason;
    this.#body.hidden = Boolean(reason);
  }

  /** @param {import('../../api/schema.d.ts').TruncatedVocabulary & {text: string}} answer */
  show(answer) {
    this.refuse('');
    const first = !this.#sizes;
    this.#sizes = answer.sizes;
    this.#adoptSize(answer.sizes);
    this.querySelector('.bar-axis')?.replaceChildren(
      h('span', {}, count(answer.sizes[0])),
      h('span', {}, count(answer.sizes[1])),
    );
    this.#label();
    // What was asked before the sizes were known was the whole.
    if (first && this.#place < STEPS) {
      this.emit('sizechange', this.#asked);
      this.#ask();
      return;
    }
    const { token_count: n, whole_count: whole, kept_count: kept, text_bytes: bytes } = answer;
    this.#facts.replaceChildren(
      ...[
        [
          'tokens',
          h(
            'span',
            {},
            h('b', { class: 'number' }, count(n)),
            h(
              'span',
              { class: 'dim number' },
              answer.size === answer.sizes[1] ? ' whole vocabulary' : ` ${difference(n, whole)}`,
            ),
          ),
        ],
        ['bytes per token', h('span', { class: 'number' }, n ? ratio(bytes / n) : '–')],
        [
          'tokens unchanged',
          h(
            'span',
            { class: 'number', title: 'of the tokens that the whole vocabulary gives, those that this one has' },
            whole ? `${percent(kept / whole)} of its ${plural(whole, 'token')}` : '–',
          ),
        ],
        [
          'unknown',
          h('span', { class: answer.unknown_count ? 'number warning' : 'number' }, count(answer.unknown_count)),
        ],
      ].flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
    );
    this.#tokens.replaceChildren(
      answer.tokens.length ? tokenFaces(answer.tokens, answer.text) : h('span', { class: 'faint' }, 'no text'),
    );
  }

  /** Moves the slider to the size that was asked for before the sizes were known. @param {[number, number]} sizes */
  #adoptSize(sizes) {
    if (this.#wanted === null) return;
    this.#place = placeOf(Math.min(sizes[1], Math.max(sizes[0], this.#wanted)), sizes) * STEPS;
    this.#slider.value = String(this.#place);
    this.#wanted = null;
  }

  get #asked() {
    return this.#place >= STEPS || !this.#sizes ? null : sizeAt(this.#place / STEPS, this.#sizes);
  }

  #label() {
    const size = this.#sizes ? (this.#asked ?? this.#sizes[1]) : null;
    this.#size.textContent = count(size);
    this.#slider.setAttribute('aria-valuetext', size === null ? 'not known yet' : `${size} tokens`);
  }

  #ask() {
    this.emit('truncate', { size: this.#asked, text: this.#text.value });
  }
}

customElements.define('vocabulary-size', VocabularySize);
