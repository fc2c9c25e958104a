/** The documents of a corpus that changed most, and the repair of those that need more tokens. */
import { actionButton, drawnOnce, h, setText } from '../../../ui/dom.js';
import { select } from '../../../ui/form.js';
import { count, growth, plural } from '../../../util/format.js';
/** @import {ChangedDocument, Measured} from '../../../api/schema.d.ts' */

const MOST_CHARACTERS = 120;
const MEASURE_FIRST = 'Measure a corpus to see which documents changed most.';
const ALL = '';

export class DocumentsPanel {
  #host;
  /** @type {Measured|null} */
  #measured = null;
  #note = h('p', { class: 'dim' });
  #language = select('document-language', () => this.#draw());
  #missed = h('p', {});
  #keep = actionButton('', () => this.#host.keep(this.#measured?.missed ?? []), { 'data-role': 'keep-missed' });
  #repair = h('div', { class: 'workshop-repair' }, this.#missed, this.#keep);
  #list = h('ol', { class: 'workshop-documents' });
  element = h('div', { class: 'workshop-changed' }, this.#note, this.#language, this.#repair, this.#list);

  /**
   * @param {{show: (text: string) => void, keep: (tokens: string[]) => void, canKeep: () => boolean}} host `show`: in
   *   the text, before and after; `keep`: tokens that an edit took away
   */
  constructor(host) {
    this.#host = host;
    this.#language.ariaLabel = 'Language of the documents';
  }

  /** @param {Measured|null} measured */
  show(measured) {
    if (measured !== this.#measured) {
      const chosen = this.#language.value;
      const names = new Set([...(measured?.worst ?? []), ...(measured?.best ?? [])].map(({ language }) => language));
      const options = [ALL, ...[...names].filter(name => name !== null).sort()];
      this.#language.replaceChildren(...options.map(name => h('option', { value: name }, name || 'All languages')));
      this.#language.value = options.includes(chosen) ? chosen : ALL;
      this.#language.hidden = options.length < 2;
    }
    this.#measured = measured;
    this.#draw();
  }

  /** Lists the documents of a language alone. @param {string} language */
  filter(language) {
    if (![...this.#language.options].some(({ value }) => value === language))
      this.#language.append(h('option', { value: language }, language)); // none of its documents is listed
    this.#language.value = language;
    this.#draw();
  }

  #draw() {
    const { documents: all = 0, longer = 0, shorter = 0, short_documents: short = 0 } = this.#measured ?? {};
    const wanted = this.#language.value;
    const documents = [...(this.#measured?.worst ?? []), ...(this.#measured?.best ?? [])];
    const found = documents.filter(({ language }) => wanted === ALL || language === wanted);
    setText(
      this.#note,
      this.#measured
        ? `${plural(longer, 'document')} of ${count(all)} need more tokens, ${count(shorter)} fewer. ` +
            `Of ${count(short)} with fewer than 100 tokens none is listed.`
        : MEASURE_FIRST,
    );
    const missed = this.#measured?.missed.length ?? 0;
    this.#repair.hidden = !missed || !this.#host.canKeep();
    setText(
      this.#missed,
      `The documents that need more use ${plural(missed, 'token')} that edits removed. Kept, they fit the draft to ` +
        'this corpus: measure on another one then.',
    );
    setText(this.#keep, `Keep these ${count(missed)}`);
    drawnOnce(this.#list, found, () => found.map(document => this.#item(document)));
  }

  /** @param {ChangedDocument} document */
  #item({ number, language, text, before, after }) {
    const place = `document ${count(number + 1)}${language ? `, ${language}` : ''}`;
    return h(
      'li',
      {},
      h('b', { class: after > before ? 'workshop-look' : 'workshop-ok' }, growth(after / before - 1)),
      actionButton(place, () => this.#host.show(text), {
        class: 'button link',
        title: 'Show its changed lines in the text',
      }),
      h('span', { class: 'number' }, `${count(before)} → ${count(after)}`),
      h('p', { class: 'dim workshop-excerpt' }, excerpt(text)),
    );
  }
}

/** The start of a text. @param {string} text */
function excerpt(text) {
  const all = [...text.slice(0, 2 * MOST_CHARACTERS)];
  return all.length > MOST_CHARACTERS ? `${all.slice(0, MOST_CHARACTERS).join('')}…` : all.join('');
}
