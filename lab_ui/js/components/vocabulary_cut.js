/**
 * A text under the same tokenizer with fewer tokens: a slider for the size, and what it does to the text. Gets `start` and
 * `show`; reports `cut` (detail: {size, text}; size null for all).
 */
import { h } from '../lib/dom.js';
import { count, difference, percent, plural, ratio } from '../lib/format.js';
import { placeOf, sizeAt } from '../lib/vocabulary_query.js';
import { visibleNodes } from './token_spans_text.js';

const STEPS = 1000, MOST_CHARACTERS = 4000;

export class VocabularyCut extends HTMLElement {
  #slider; #size = h('output', { class: 'big number', 'data-role': 'cut-size' }); #text; #facts = h('dl', { class: 'cut-facts' }); #tokens = h('div', { class: 'cut-tokens', 'data-role': 'cut-tokens', role: 'group', 'aria-label': 'Tokens of the text', tabIndex: 0 }); #body; #refusal = h('p', { class: 'empty-words dim' }); #sizes = null; #place = STEPS;

  connectedCallback() {
    if (this.firstChild) return;
    this.#slider = h('input', { type: 'range', min: '0', max: String(STEPS), value: String(STEPS), 'aria-label': 'Vocabulary size', 'data-role': 'cut-slider', oninput: () => { this.#place = Number(this.#slider.value); this.#label(); this.#ask(); } });
    this.#text = h('textarea', { rows: 4, maxLength: MOST_CHARACTERS, spellcheck: false, 'aria-label': 'Text to cut', 'data-role': 'cut-text', oninput: () => this.#ask() });
    this.#body = h('div', {}, h('section', { class: 'entry-part' }, h('h3', {}, 'Vocabulary size'), h('div', { class: 'cut-size' }, this.#size, h('span', { class: 'dim' }, 'tokens')), this.#slider, h('div', { class: 'bar-axis faint number', 'aria-hidden': 'true' })),
      h('section', { class: 'entry-part' }, this.#facts), h('section', { class: 'entry-part' }, h('h3', {}, 'A text, live'), this.#text, this.#tokens));
    this.append(this.#refusal, this.#body);
    this.refuse('');
  }

  /** A text to begin with. @param {string} text */
  set text(text) { if (this.#text && !this.#text.value) this.#text.value = [...text].slice(0, 600).join(''); }

  /** Another tokenizer: the place of the slider stays, its sizes are new. */
  restart() { this.#sizes = null; this.#ask(); }

  /** @param {string} words why there is nothing to cut; none takes them away */
  refuse(words) { this.#refusal.hidden = !words; this.#refusal.textContent = words; this.#body.hidden = Boolean(words); }

  /** @param {Object} answer of the interface */
  show(answer) {
    this.refuse('');
    const first = !this.#sizes;
    this.#sizes = answer.sizes;
    this.querySelector('.bar-axis').replaceChildren(h('span', {}, count(answer.sizes[0])), h('span', {}, count(answer.sizes[1])));
    this.#label();
    // What was asked before the sizes were known was the whole.
    if (first && this.#place < STEPS) { this.#ask(); return; }
    const { token_count: n, whole_count: whole, kept_count: kept, text_bytes: bytes } = answer;
    this.#facts.replaceChildren(...[
      ['tokens', h('span', {}, h('b', { class: 'number' }, count(n)), h('span', { class: 'dim number' }, answer.size === answer.sizes[1] ? ' whole vocabulary' : ` ${difference(n, whole)}`))],
      ['bytes per token', h('span', { class: 'number' }, n ? ratio(bytes / n) : '–')],
      ['still there', h('span', { class: 'number', title: 'of the tokens that the whole vocabulary gives, those that this one has' }, whole ? `${percent(kept / whole)} of its ${plural(whole, 'token')}` : '–')],
      ['unknown', h('span', { class: answer.unknown_count ? 'number warning' : 'number' }, count(answer.unknown_count))],
    ].flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));
    this.#tokens.replaceChildren(...pieces(answer.tokens, this.#text.value));
  }

  get #asked() { return this.#place >= STEPS || !this.#sizes ? null : sizeAt(this.#place / STEPS, this.#sizes); }

  #label() {
    const size = this.#sizes ? this.#asked ?? this.#sizes[1] : null;
    this.#size.textContent = count(size);
    this.#slider.setAttribute('aria-valuetext', size === null ? 'not known yet' : `${size} tokens`);
  }

  #ask() { this.dispatchEvent(new CustomEvent('cut', { detail: { size: this.#asked, text: this.#text.value }, bubbles: true })); }

  /** For permalinks and tests. @param {number} size */
  set size(size) {
    if (!this.#sizes) return;
    this.#place = Math.round(STEPS * placeOf(size, this.#sizes));
    this.#slider.value = String(this.#place);
    this.#label();
    this.#ask();
  }
}

/** The text in its tokens; a character that several share is drawn once over as many stripes. */
function pieces(tokens, text) {
  const drawn = [];
  for (let at = 0; at < tokens.length;) {
    let [from, to] = tokens[at].span_utf16, end = at + 1;
    while (end < tokens.length && tokens[end].span_utf16[0] < to) { to = Math.max(to, tokens[end].span_utf16[1]); end++; }
    const k = end - at, body = h('span', { class: 'cut', title: tokens.slice(at, end).map(token => token.id).join(', ') }, ...visibleNodes(text.slice(from, to)));
    if (k === 1) body.style.backgroundColor = `var(--t${at % 4})`;
    else body.style.backgroundImage = `linear-gradient(90deg, ${Array.from({ length: k }, (_, n) => `var(--t${(at + n) % 4}) ${n * 100 / k}% ${(n + 1) * 100 / k}%`).join(', ')})`;
    drawn.push(body);
    at = end;
  }
  return drawn.length ? [h('bdi', { class: 'token-spans wrapped' }, ...drawn)] : [h('span', { class: 'faint' }, 'no text')];
}

customElements.define('vocabulary-cut', VocabularyCut);
