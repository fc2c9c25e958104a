/**
 * The ids of a text, and what pasted ids decode to. Gets `show` (the ids of the text) and `decoded` (an answer);
 * reports `decode` (detail: ids to decode, null: there is nothing to decode), `usetext` (detail: a text to take over)
 * and `copyids` (detail: `{text, message}`).
 */
import { LabElement } from '../../ui/element.js';
import { count, hexByte, bytesOfHex, plural } from '../../util/format.js';
import { actionButton, h, setText } from '../../ui/dom.js';
import { ID_FORMATS, idsAs, readIds } from './id_lists.js';
import { visibleNodes } from '../../ui/tokens/token_spans_text.js';

const MOST_SHOWN = 20_000;

export class IdView extends LabElement {
  /** @type {import('../../text/gap_array.js').Numbers} */
  #ids = new Uint32Array(0);
  /** @type {HTMLTextAreaElement} */
  #area;
  #note = h('p', { class: 'dim', role: 'status', 'data-role': 'ids-note' });
  #out = h('output', { class: 'decoded' });
  /** @type {HTMLButtonElement} */
  #use;
  #unknown = h('p', { class: 'id-unknown dim', hidden: true });
  #own = true;
  /** @type {string|null} */
  #text = null;

  render() {
    this.#area = h('textarea', {
      class: 'mono',
      id: 'ids',
      rows: 8,
      spellcheck: false,
      'data-role': 'ids',
      oninput: () => this.#edited(),
    });
    this.#use = actionButton('Use as the text', () => this.emit('usetext', this.#text), { hidden: true });
    this.append(
      h(
        'div',
        { class: 'id-head' },
        h('label', { for: 'ids' }, 'IDs of the text. Paste other IDs to decode them.'),
        h('span', { class: 'grow' }),
        h('span', { class: 'dim' }, 'Copy all as'),
        ...ID_FORMATS.map(({ value, label }) =>
          actionButton(label, () => this.#copy(value, label), {
            'data-role': `copy-ids-${value}`,
            'aria-label': `Copy all IDs as ${label}`,
          }),
        ),
        actionButton('IDs of the text', () => {
          this.#own = true;
          this.#unknown.hidden = !this.#unknown.firstChild;
          this.#fill();
        }),
      ),
      this.#area,
      this.#note,
      this.#unknown,
      h('h2', {}, 'Decoded'),
      this.#out,
      h('div', {}, this.#use),
    );
  }

  /** Whether IDs were typed: those shown are not those of the text. */
  get holdsInput() {
    return !this.#own;
  }

  /**
   * @param {import('../../text/gap_array.js').Numbers} ids
   * @param {{id: number, name: string, times: number}|null} [unknown] the one that stands for text which the vocabulary
   *   lacks
   */
  show(ids, unknown = null) {
    this.#ids = ids;
    this.#unknown.replaceChildren(
      ...(unknown
        ? [
            h('span', { class: 'unknown-tag' }, [unknown.name, unknown.id].filter(Boolean).join(' ')),
            ` ${plural(unknown.times, 'time')}: text that is not in the vocabulary`,
          ]
        : []),
    );
    this.#unknown.hidden = !unknown || !this.#own;
    if (this.#own) this.#fill();
  }

  /** @param {{text: string|null, bytes: string}|{message: string, hint?: string|null}} answer or why there is none */
  set decoded(answer) {
    this.#text = 'text' in answer ? answer.text : null;
    this.#use.hidden = this.#own || this.#text === null;
    if ('message' in answer)
      this.#out.replaceChildren(
        h('span', { class: 'warning' }, answer.message),
        h('div', { class: 'dim' }, answer.hint ?? ''),
      );
    else if (answer.text === null)
      this.#out.replaceChildren(
        h('span', { class: 'dim' }, 'Not valid UTF-8 on its own: '),
        h('span', { class: 'mono' }, [...bytesOfHex(answer.bytes)].map(hexByte).join(' ')),
      );
    else
      this.#out.replaceChildren(
        ...answer.text.split('\n').map(line => h('div', {}, ...visibleNodes(line.slice(0, MOST_SHOWN)))),
      );
  }

  #fill() {
    const shown = this.#ids.subarray(0, MOST_SHOWN);
    this.#area.removeAttribute('aria-invalid');
    this.#note.classList.remove('warning');
    this.#area.value = shown.join(', ');
    setText(
      this.#note,
      this.#ids.length > MOST_SHOWN
        ? `The first ${count(MOST_SHOWN)} of ${plural(this.#ids.length, 'ID')}; copying takes every one.`
        : plural(this.#ids.length, 'ID'),
    );
    this.emit('decode', [...shown]);
  }

  #edited() {
    this.#own = false;
    this.#unknown.hidden = true;
    const { ids, wrong } = readIds(this.#area.value);
    this.#note.classList.toggle('warning', wrong !== null);
    if (wrong) {
      this.#area.setAttribute('aria-invalid', 'true');
      setText(
        this.#note,
        `“${wrong.word.slice(0, 40)}”, number ${count(wrong.at)} of the list, is not a token ID; ` +
          'IDs are whole numbers from 0, separated by spaces or commas.',
      );
      // What was decoded before is of other ids.
      this.#text = null;
      this.#use.hidden = true;
      this.#out.replaceChildren(h('span', { class: 'dim' }, '–'));
      this.emit('decode', null);
      return;
    }
    this.#area.removeAttribute('aria-invalid');
    setText(this.#note, plural(ids.length, 'ID'));
    this.emit('decode', ids);
  }

  /** @param {string} format @param {string} label */
  #copy(format, label) {
    this.emit('copyids', {
      text: idsAs(this.#ids, format),
      message: `${plural(this.#ids.length, 'ID')} copied as ${label}`,
    });
  }
}

customElements.define('id-view', IdView);
