/**
 * How to read this text: examples from it, each with its tokens and a sentence. Gets `show`; nothing to interact with.
 */
import { LabElement } from '../../ui/element.js';
import { h } from '../../ui/dom.js';
import { tokenizerBadge } from '../../ui/tokens/tokenizer_badge.js';
import { visibleNodes } from '../../ui/tokens/token_spans_text.js';
import { count } from '../../util/format.js';

/**
 * @typedef {{title: string, text: string}} Sentence
 * @typedef {{text: string, isHex: boolean, id: number, colour: string}} Face how a token is written: as text or, if
 *   its bytes are none, in hex
 * @typedef {{faces: Face[], sentence: Sentence}} WordReading
 * @typedef {{text: string, written: string, id: number, sentence: Sentence}} UnknownReading
 * @typedef {{text: string, faces: Face[], sentence: Sentence}} CharacterReading
 * @typedef {{tokenizers: {id: string, letter: string, name: string, count: number}[], sentence: Sentence}}
 *   CountsReading
 * @typedef {{word: WordReading|null, unknown: UnknownReading|null, character: CharacterReading|null, counts:
 *   CountsReading|null, isEmpty: boolean}} Reading null: does not apply to this text
 */
export class HowToRead extends LabElement {
  #body = h('div', { class: 'reading-body' });

  render() {
    this.append(h('div', { class: 'panel-head' }, h('h2', {}, 'How to read this text')), this.#body);
  }

  /** @param {Reading} reading */
  show({ word, unknown, character, counts, isEmpty }) {
    const sections = [
      word && section('word', word.sentence, h('div', { class: 'faces' }, ...word.faces.map(face))),
      unknown && section('unknown', unknown.sentence, instead(unknown.text, [unknownFace(unknown)])),
      character && section('character', character.sentence, instead(character.text, character.faces.map(face))),
      counts && section('counts', counts.sentence, bars(counts.tokenizers)),
      h(
        'section',
        { class: 'dim' },
        isEmpty
          ? 'Type or paste a text. Its tokens are coloured while you type.'
          : 'Select a token to see its id, its bytes and the reason for the boundary.',
      ),
    ];
    this.#body.replaceChildren(...sections.filter(one => one !== null));
  }
}

const section = (name, { title, text }, ...pictures) =>
  h('section', { 'data-reading': name }, ...pictures, h('p', {}, h('b', {}, title), ' ', text));

function face({ text, isHex, id, colour }) {
  const shown = h('bdi', { class: 'face-token' }, ...(isHex ? [text] : visibleNodes(text)));
  shown.style.background = colour;
  return h('span', { class: 'face' }, shown, h('small', { class: 'number' }, String(id)));
}

const unknownFace = ({ written, id }) =>
  h(
    'span',
    { class: 'face' },
    h('span', { class: 'face-token unknown-tag' }, written),
    h('small', { class: 'number' }, String(id)),
  );

/** What stands in the text, and the tokens it becomes. */
const instead = (text, faces) =>
  h(
    'div',
    { class: 'faces' },
    h('bdi', { class: 'face-text' }, ...visibleNodes(text)),
    h('span', { class: 'face-arrow', 'aria-hidden': 'true' }, '→'),
    ...faces,
  );

function bars(tokenizers) {
  const most = Math.max(1, ...tokenizers.map(one => one.count));
  return h(
    'ul',
    { class: 'count-bars' },
    ...tokenizers.map(({ letter, name, count: tokens }) => {
      const bar = h('i', { 'data-letter': letter });
      bar.style.width = `${(100 * tokens) / most}%`;
      return h(
        'li',
        {},
        tokenizerBadge(letter),
        h('span', { class: 'count-name', title: name }, name),
        h('span', { class: 'count-track', 'aria-hidden': 'true' }, bar),
        h('b', { class: 'number' }, count(tokens)),
      );
    }),
  );
}

customElements.define('how-to-read', HowToRead);
