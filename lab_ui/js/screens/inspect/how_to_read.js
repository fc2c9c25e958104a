/**
 * How to read this text: examples from it, each with its tokens and a sentence. Gets `show`; nothing to interact with.
 */
import { LabElement } from '../../ui/element.js';
import { h } from '../../ui/dom.js';
import { countBars, face, instead, unknownFace } from '../../ui/tokens/large_faces.js';

/**
 * @typedef {{title: string, text: string}} Sentence
 * @typedef {import('../../ui/tokens/large_faces.js').Face} Face
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
      counts && section('counts', counts.sentence, countBars(counts.tokenizers)),
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

/** @param {string} name @param {Sentence} sentence @param {Node[]} pictures */
const section = (name, { title, text }, ...pictures) =>
  h('section', { 'data-reading': name }, ...pictures, h('p', {}, h('b', {}, title), ' ', text));

customElements.define('how-to-read', HowToRead);
