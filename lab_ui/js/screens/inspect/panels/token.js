/** The chosen token: its place, bytes and entry of the vocabulary, and the sentence that is read aloud of it. */
import { Panel } from '../../../app/panel.js';
import { colourOf } from '../../../text/token_colour.js';
import { tokenFacts } from '../../../text/token_facts.js';
import { spokenText } from '../../../text/visible_text.js';
import { count, plural } from '../../../util/format.js';
import { learn } from '../../../app/tokenizers/learn.js';
import { TokenDrawer } from '../token_drawer.js';

/**
 * @typedef {import('../selection.js').InspectAnswer} InspectAnswer
 * @typedef {import('../selection.js').Shaded} Shaded
 */

export class TokenPanel extends Panel {
  #shadeOf;
  /** @type {InspectAnswer|null} */
  #answer = null;
  #token = -1;
  element = new TokenDrawer();

  /** @param {(answer: Shaded) => (token: number) => string} shadeOf returns the class of a token's colour */
  constructor(shadeOf) {
    super();
    this.#shadeOf = shadeOf;
  }

  /** @param {InspectAnswer|null} answer */
  onAnswer(answer) {
    this.#answer = answer;
  }

  destroy() {
    this.#answer = null;
  }

  /** @param {number} token */
  async onSelection(token) {
    this.#token = token;
    const answer = this.#answer;
    if (!answer || token < 0) {
      this.element.show(null);
      return;
    }
    const { tokens, text, pointsAt, tokenizer } = answer;
    const shade = this.#shadeOf(answer);
    const facts = tokenFacts(tokens, token, text);
    const entry = () => this.context.vocabulary.known(tokenizer, facts.id);
    /** @type {[number, number]} */
    const spanChar = [pointsAt(facts.span16[0]), pointsAt(facts.span16[1])];
    const shown = {
      facts,
      place: placeOf(tokens, token),
      isFirst: token === 0,
      isLast: token === tokens.length - 1,
      spanChar,
      mergeCount: this.context.catalog.entry(tokenizer)?.merge_count ?? null,
      colour: (/** @type {number} */ i) => colourOf(shade(i)),
    };
    this.element.show({ ...shown, entry: entry() });
    if (entry()) return;
    await learn(this.context, tokenizer, [facts.id]);
    if (this.#token === token && this.#answer?.tokens === tokens) this.element.show({ ...shown, entry: entry() });
  }

  /** @param {number} token of the answer @returns {string} what is said of it */
  sentence(token) {
    if (!this.#answer) return '';
    const { tokens, text, tokenizer } = this.#answer;
    const facts = tokenFacts(tokens, token, text);
    const name = this.context.vocabulary.known(tokenizer, facts.id)?.text;
    const words = facts.added ? (name ?? 'added token') : spokenText(facts.source);
    const split = facts.characters.find(character => character.owners.length > 1);
    const part = split ? `part ${split.owners.indexOf(token) + 1} of ` : '';
    return `${placeOf(tokens, token)}: ${part}${words}, id ${facts.id}, ${plural(facts.bytes.length, 'byte')}`;
  }
}

/**
 * "token 3 of 20" among those of the text, as the count above it has them; "added token" for one of the postprocessor.
 * @param {import('../../../text/token_spans.js').TokenSpans} tokens @param {number} token
 */
function placeOf(tokens, token) {
  const number = tokens.numberInText(token);
  return number < 0 ? 'added token' : `token ${count(number + 1)} of ${count(tokens.placedCount)}`;
}
