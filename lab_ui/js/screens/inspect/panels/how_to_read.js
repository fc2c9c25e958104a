/**
 * What the drawer says while no token is selected: examples of this text under this tokenizer, and the counts of the
 * others. Asked for when the typing pauses, and only while it is shown.
 */
import { tokenize } from '../../../api/encoding.js';
import { trace } from '../../../api/explain.js';
import { AskingPanel } from '../../../app/asking_panel.js';
import { shortNames as chipLabels } from '../../../app/tokenizers/short_names.js';
import { addedCount, ownCount } from '../../../text/figures.js';
import {
  LOOKED_AT,
  characterSentence,
  countsSentence,
  modelOf,
  sameSpans,
  splitCharacter,
  splitWords,
  unknownExample,
  unknownSentence,
  wordSentence,
} from '../../../text/reading.js';
import { namesInWords } from '../../../text/short_name.js';
import { colourOf } from '../../../text/token_colour.js';
import { specialName } from '../../../text/unknown_tokens.js';
import { hexWords } from '../../../ui/tokens/token_label.js';
import { HowToRead } from '../how_to_read.js';
import { untracedWords } from '../untraced.js';

const FOLLOW_MS = 250;
const MOST_COUNTED = 20_000; // UTF-16 units; longer texts are not encoded by the other tokenizers for this
const NOTHING = { word: null, unknown: null, character: null, counts: null, isEmpty: false };

/**
 * @typedef {import('../selection.js').InspectAnswer} InspectAnswer
 * @typedef {import('../selection.js').Shaded} Shaded
 * @typedef {import('../../../text/reading.js').Example} Example
 */

export class HowToReadPanel extends AskingPanel {
  #shadeOf;
  /** @type {InspectAnswer|null} */
  #answer = null;
  /** @type {InspectAnswer|null} */
  #settled = null;
  element = new HowToRead();

  /** @param {(answer: Shaded) => (token: number) => string} shadeOf returns the class of a token's colour */
  constructor(shadeOf) {
    super();
    this.#shadeOf = shadeOf;
  }

  /** @param {import('../../../app/context.js').Context} context */
  mount(context) {
    super.mount(context);
    this.element.show({ ...NOTHING });
  }

  /** @param {InspectAnswer|null} answer @param {boolean} isSettled */
  onAnswer(answer, isSettled) {
    this.#answer = answer;
    if (!isSettled) return;
    this.#settled = answer;
    this.#ask(FOLLOW_MS);
  }

  /** @param {number} token */
  onSelection(token) {
    const isShown = token < 0;
    if (isShown === !this.element.hidden) return;
    this.element.hidden = !isShown;
    this.#ask(0);
  }

  /** @param {Set<string>} changed */
  onState(changed) {
    if (['chosen', 'colourBy', 'addSpecialTokens', 'specials'].some(name => changed.has(name))) this.#ask(FOLLOW_MS);
  }

  destroy() {
    super.destroy();
    this.#answer = this.#settled = null;
  }

  /** @param {number} waitMs */
  #ask(waitMs) {
    this.asking.stop();
    const answer = this.#settled;
    if (this.element.hidden || answer !== this.#answer) return;
    if (!answer?.text.length) {
      this.element.show({ ...NOTHING, isEmpty: !this.context.session.length });
      return;
    }
    this.asking.ask({
      waitMs,
      ask: signal => this.#read(answer, signal),
      show: reading => this.element.show(reading),
      showProblem: () => this.element.show({ ...NOTHING }), // the text itself says what went wrong
    });
  }

  /**
   * @param {InspectAnswer} answer @param {AbortSignal} signal @returns {Promise<import('../how_to_read.js').Reading>}
   */
  async #read(answer, signal) {
    const { catalog, settings } = this.context;
    const chosen = settings.get('chosen');
    const names = new Map(namesInWords(chosen.map(id => catalog.nameOf(id))).map((name, n) => [chosen[n], name]));
    const text = answer.text.slice(0, LOOKED_AT);
    const name = names.get(answer.tokenizer) ?? catalog.nameOf(answer.tokenizer);
    const unknown = this.#unknown(answer, text, name);
    // Before the answers come: tokens of a long text change in place.
    const character = unknown ? null : splitCharacter(answer.tokens, text);
    const split = character && { ...character, sentence: characterSentence(character, name) };
    const words = splitWords(answer.tokens, text);
    // One request for what both sections most likely show.
    const shown = [...(split ? split.tokens : []), ...(words[0]?.tokens ?? [])].map(i => answer.tokens.ids.at(i));
    const known = this.context.vocabulary.entries(answer.tokenizer, shown);
    const [word, faces, counts] = await Promise.all([
      this.#word(answer, text, words, name, known, signal),
      split ? known.then(() => this.#faces(answer, split.tokens)) : [],
      this.#counts(answer, chosen, names, signal),
    ]);
    return {
      ...NOTHING,
      word,
      unknown,
      character: split && { text: split.text, faces, sentence: split.sentence },
      counts,
    };
  }

  /**
   * @param {InspectAnswer} answer @param {string} text @param {Example[]} words @param {string} name
   * @param {Promise<unknown>} known @param {AbortSignal} signal
   * @returns {Promise<import('../how_to_read.js').WordReading|null>}
   */
  async #word(answer, text, words, name, known, signal) {
    const { tokenizer, tokens } = answer;
    const entry = this.context.catalog.entry(tokenizer);
    if (!words.length || untracedWords(entry)) return null;
    const [traced] = await Promise.all([trace(tokenizer, text, this.context.settings.get('specials'), signal), known]);
    if (this.#answer !== answer) return null;
    for (const word of words) {
      const model = modelOf(traced, tokens, word);
      if (!model) continue;
      const faces = await this.#faces(answer, word.tokens);
      const sentence = wordSentence(word, model, {
        name,
        spellings: faces.map(({ isHex, text }) => (isHex ? null : text)),
        fromBytes: /byte-level/.test(entry?.stages?.model ?? ''),
      });
      if (sentence) return { faces, sentence };
    }
    return null;
  }

  /**
   * @param {InspectAnswer} answer @param {string} text @param {string} name
   * @returns {import('../how_to_read.js').UnknownReading|null}
   */
  #unknown({ tokenizer, tokens }, text, name) {
    const found = unknownExample(tokens, text);
    if (!found) return null;
    const id = tokens.ids.at(found.tokens[0]);
    const written = specialName(this.context.catalog.entry(tokenizer), id) ?? `the token ${id}`;
    return { text: found.text, written, id, sentence: unknownSentence(found, name, written) };
  }

  /**
   * @param {InspectAnswer} answer @param {number[]} list
   * @returns {Promise<import('../how_to_read.js').Face[]>} of some tokens, as the vocabulary spells them
   */
  async #faces(answer, list) {
    const { tokenizer, tokens } = answer;
    const shade = this.#shadeOf(answer);
    const shown = list.map(i => ({ id: tokens.ids.at(i), colour: colourOf(shade(i)) }));
    const { vocabulary } = this.context;
    await vocabulary.entries(
      tokenizer,
      shown.map(({ id }) => id),
    );
    return shown.map(({ id, colour }) => {
      const entry = vocabulary.known(tokenizer, id);
      const isHex = entry?.text === null;
      return { id, colour, isHex, text: isHex ? hexWords(entry.bytes) : (entry?.text ?? String(id)) };
    });
  }

  /**
   * @param {InspectAnswer} answer @param {string[]} chosen @param {Map<string, string>} names
   * @param {AbortSignal} signal @returns {Promise<import('../how_to_read.js').CountsReading|null>}
   */
  async #counts({ tokenizer, tokens, result, text }, chosen, names, signal) {
    if (chosen.length < 2 || text.length > MOST_COUNTED || !chosen.includes(tokenizer)) return null;
    const { settings, catalog } = this.context;
    const options = { addSpecialTokens: settings.get('addSpecialTokens'), specials: settings.get('specials') };
    const found = await Promise.all(
      chosen.map(id =>
        id === tokenizer ? { result, tokens } : tokenize(id, String(text), options, signal).catch(() => null),
      ),
    );
    const answers = found.filter(answer => answer !== null);
    if (signal.aborted || answers.length < found.length) return null;
    const labels = chipLabels(chosen.map(id => catalog.nameOf(id)));
    return {
      tokenizers: chosen.map((id, n) => ({
        id,
        letter: catalog.letterOf(id),
        name: names.get(id) ?? id,
        count: ownCount(answers[n].result),
      })),
      sentence: countsSentence(
        chosen
          .map((id, n) => ({
            id,
            name: labels[n], // the sentence says what to press
            count: ownCount(answers[n].result),
            isSame: sameSpans(tokens, answers[n].tokens),
          }))
          .filter(({ id }) => id !== tokenizer),
        answers.some(answer => (addedCount(answer.result) ?? 0) > 0),
      ),
    };
  }
}
