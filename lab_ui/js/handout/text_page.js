/** A text in a handout: its tokens by one tokenizer or several, and of a token its ID, bytes and place. */
import { visible } from '../lessons/names.js';
import { words } from '../lessons/words/index.js';
import { h, listen, setText } from '../ui/dom.js';
import { LabElement } from '../ui/element.js';
import { roving } from '../ui/roving.js';
import { Refusal, TextBox } from './parts.js';

/** Tokens that are drawn of each tokenizer. */
const MOST_DRAWN = 2000;
const COLOURS = 4;

/**
 * @typedef {import('./engine.js').Token} Token
 * @typedef {{name: string, number: number, count: HTMLElement, tokens: HTMLElement, facts: HTMLElement,
 *   refusal: Refusal, stop: () => void}} Lane `number`: that of its tokenizer
 */

export class TextPage extends LabElement {
  #box = new TextBox();
  /** @type {Lane[]} */
  #lanes = [];

  /**
   * Reports `place` (detail: the text) after each change.
   * @param {import('./engine.js').PageEngine} engine @param {import('./contents.js').TextContents} encoded
   * @param {{name: string, number: number}[]} tokenizers `number`: the engine's
   */
  start(engine, encoded, tokenizers) {
    const title = words.handout.tokens(tokenizers.map(({ name }) => name).join(', '));
    document.title = title;
    this.#lanes = tokenizers.map(({ name, number }) => laneOf(name, number));
    this.append(
      h('div', { class: 'handout-head' }, h('h1', {}, title), this.#box),
      h('p', { class: 'dim' }, words.handout.choose),
      ...this.#lanes.map(({ name, count, tokens, facts, refusal }) =>
        h('section', { class: 'handout-lane' }, h('h2', {}, name, ' ', count), refusal, tokens, facts),
      ),
    );
    this.#box.text = encoded.text;
    const { specials, add_special_tokens } = encoded;
    const encode = (/** @type {string} */ text) => {
      for (const lane of this.#lanes)
        draw(
          lane,
          lane.refusal.unless(() => engine.encode({ tokenizer: lane.number, text, specials, add_special_tokens })),
        );
    };
    listen(this.#box, 'textchange', text => {
      encode(text);
      this.emit('place', { text });
    });
    encode(encoded.text);
  }
}

/** @param {string} name @param {number} number @returns {Lane} */
function laneOf(name, number) {
  const tokens = h('div', { class: 'handout-tokens mono', role: 'group', 'aria-label': words.handout.tokens(name) });
  return {
    name,
    number,
    tokens,
    count: h('span', { class: 'dim', role: 'status' }),
    facts: h('p', { class: 'handout-facts', role: 'status' }),
    refusal: new Refusal(),
    stop: roving(tokens, 'button'),
  };
}

/** @param {Lane} lane @param {{count: number, tokens: Token[]}|null} found */
function draw(lane, found) {
  const tokens = found?.tokens ?? [];
  setText(lane.count, found ? words.handout.count(found.count) : '');
  setText(lane.facts, tokens.length > MOST_DRAWN ? words.handout.more(tokens.length - MOST_DRAWN) : '');
  lane.tokens.replaceChildren(
    ...tokens.slice(0, MOST_DRAWN).map((token, n) =>
      h(
        'button',
        {
          type: 'button',
          class: `handout-token token-${n % COLOURS}`,
          'data-id': String(token.id),
          onclick: () => setText(lane.facts, factsOf(token)),
        },
        nameOf(token),
      ),
    ),
  );
  lane.stop();
}

/** @param {Token} token */
const nameOf = ({ text, bytes }) => (text ? visible(text) : hexOf(bytes));

/** @param {string} bytes */
const hexOf = bytes => bytes.toUpperCase().replace(/(..)(?=.)/g, '$1 ');

/** @param {Token} token */
function factsOf(token) {
  const { id, text, bytes, span_utf8: span, special, sequence } = token;
  const { handout } = words;
  return [
    `${nameOf(token)}: ${handout.id} ${id}`,
    text === null ? handout.partial : '',
    `${handout.bytes} ${hexOf(bytes)}`,
    sequence === null ? handout.added : `${handout.place} ${span[0]}–${span[1]}`,
    special ? handout.special : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

customElements.define('text-page', TextPage);
