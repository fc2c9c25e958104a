/**
 * The slowest documents of a row, each one press from Inspect and from its profile. Gets `show`; reports
 * `inspectdocument` and `profiledocument`.
 */
import { contextNodes } from '../../ui/named_text.js';
import { actionButton, h } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { count, duration, size } from '../../util/format.js';
import { Seen } from '../../util/seen.js';
import { numbers, table } from '../../ui/table.js';

const SHOWN = 120; // characters of a document

/**
 * @typedef {import('../../api/schema.d.ts').SlowestDocument} SlowestDocument
 * @typedef {import('./benchmark_words.js').Line} Line
 */

export class SlowDocuments extends LabElement {
  #seen = new Seen();
  #chosen = '';

  /** @param {Line[]} lines of the run */
  show(lines) {
    const measured = lines.filter(({ row }) => row.slowest_documents?.length);
    if (!this.#seen.again(measured.map(({ name, row }) => [name, row.slowest_documents]))) this.#draw(measured);
  }

  /** @param {Line[]} lines */
  #draw(lines) {
    if (!lines.length) {
      this.replaceChildren(
        h('p', { class: 'dim view-words' }, 'No engine of this run was timed document by document.'),
      );
      return;
    }
    const own = lines.find(({ row }) => row.engine === 'tokenlab') ?? lines[0];
    const chosen = lines.find(({ row }) => row.key === this.#chosen) ?? own;
    this.#chosen = chosen.row.key;
    const select = h(
      'select',
      {
        ariaLabel: 'Engine',
        'data-role': 'slow-engine',
        onchange: () => {
          this.#chosen = select.value;
          this.#draw(lines);
          this.querySelector('select')?.focus();
        },
      },
      ...lines.map(({ row, name }) => h('option', { value: row.key, selected: row.key === this.#chosen }, name)),
    );
    this.replaceChildren(
      h('div', { class: 'slow-head' }, h('h2', {}, 'Slowest documents'), select),
      table({
        properties: { class: 'slow' },
        caption: `Slowest documents of ${chosen.name}`,
        isCaptionHidden: true,
        columns: [
          ...['Document', 'Size', 'Tokens', 'Time', 'Per byte'].map(numbers),
          { label: 'Begins with', className: 'slow-text' },
          { label: 'Open', className: 'slow-acts', isHidden: true },
        ],
        rows: (chosen.row.slowest_documents ?? []).map(one => this.#cells(one, chosen)),
      }),
    );
  }

  /** @param {SlowestDocument} one @param {Line} chosen */
  #cells(one, { row }) {
    const { document: number, bytes, tokens, time_ns: time, excerpt, is_whole: isWhole } = one;
    const found = { text: excerpt, tokenizer: row.tokenizer, number, isWhole };
    /** @param {string} label @param {string} ariaLabel @param {string} title @param {string} type */
    const button = (label, ariaLabel, title, type) =>
      actionButton(label, () => this.emit(type, found), { ariaLabel, title });
    return [
      ...[count(number), size(bytes), count(tokens), duration(time), duration(time / bytes)],
      h('bdi', {}, ...contextNodes([...excerpt].slice(0, SHOWN).join(''))),
      [
        button('Profile', `Profile document ${number}`, 'Where its time goes', 'profiledocument'),
        button(
          'Inspect',
          `Open document ${number} in Inspect`,
          isWhole ? '' : 'The beginning of the document',
          'inspectdocument',
        ),
      ],
    ];
  }
}

customElements.define('slow-documents', SlowDocuments);
