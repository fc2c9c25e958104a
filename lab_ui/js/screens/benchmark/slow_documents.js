/**
 * The slowest documents of a row, each one press from Inspect and from its profile. Gets `show`; reports
 * `inspectdocument` and `profiledocument`.
 */
import { contextNodes } from '../../ui/named_text.js';
import { h } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { count, duration, size } from '../../util/format.js';
import { Seen } from '../../util/seen.js';

const SHOWN = 120; // characters of a document

/**
 * @typedef {import('../../api/benchmarks.js').SlowestDocument} SlowestDocument
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
    const head = ['Document', 'Size', 'Tokens', 'Time', 'Per byte'];
    this.replaceChildren(
      h('div', { class: 'slow-head' }, h('h2', {}, 'Slowest documents'), select),
      h(
        'table',
        { class: 'slow' },
        h('caption', { class: 'visually-hidden' }, `Slowest documents of ${chosen.name}`),
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            ...head.map(name => h('th', { scope: 'col', class: 'number' }, name)),
            h('th', { scope: 'col' }, 'Begins with'),
            h('th', { scope: 'col' }, h('span', { class: 'visually-hidden' }, 'Open')),
          ),
        ),
        h('tbody', {}, ...(chosen.row.slowest_documents ?? []).map(one => this.#line(one, chosen))),
      ),
    );
  }

  /** @param {SlowestDocument} one @param {Line} chosen */
  #line(one, { row }) {
    const { document: number, bytes, tokens, time_ns: time, excerpt, is_whole: isWhole } = one;
    const cells = [count(number), size(bytes), count(tokens), duration(time), duration(time / bytes)];
    const found = { text: excerpt, tokenizer: row.tokenizer, number, isWhole };
    return h(
      'tr',
      {},
      ...cells.map(words => h('td', { class: 'number' }, words)),
      h('td', { class: 'slow-text' }, h('bdi', {}, ...contextNodes([...excerpt].slice(0, SHOWN).join('')))),
      h(
        'td',
        { class: 'slow-acts' },
        h(
          'button',
          {
            type: 'button',
            class: 'button framed',
            ariaLabel: `Profile document ${number}`,
            title: 'Where its time goes',
            onclick: () => this.emit('profiledocument', found),
          },
          'Profile',
        ),
        h(
          'button',
          {
            type: 'button',
            class: 'button framed',
            ariaLabel: `Open document ${number} in Inspect`,
            title: isWhole ? '' : 'The beginning of the document',
            onclick: () => this.emit('inspectdocument', found),
          },
          'Inspect',
        ),
      ),
    );
  }
}

customElements.define('slow-documents', SlowDocuments);
