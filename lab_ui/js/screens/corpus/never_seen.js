/** Entries of a vocabulary that do not occur in the corpus. Gets `start` and `show`. */
import { h, setText } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { PagedList } from '../../ui/paged_list.js';
import { labelNodes } from '../../ui/tokens/token_label.js';
import { VirtualList } from '../../ui/virtual_list.js';
import { count, percent, plural } from '../../util/format.js';

const PAGE = 200;
const ROW = 24;

/** @typedef {import('../../api/schema.d.ts').TokenHead} TokenHead */

export class NeverSeen extends LabElement {
  #words = h('p', { class: 'chart-caption drawer-caption' });
  #list = new VirtualList();
  /** @type {PagedList<TokenHead>|null} */
  #rows = null;

  /** @param {(error: Error) => void} fail gets what went wrong while reading */
  start(fail) {
    this.#rows = new PagedList(this.#list, PAGE, fail);
    this.append(this.#words, this.#list);
    this.#list.start({ rowHeight: ROW, label: 'Entries that do not occur', drawRow: row => this.#row(row) });
  }

  /**
   * @param {import('../../api/schema.d.ts').TokenizerResult|null} result
   * @param {(offset: number, limit: number) => Promise<{total: number, rows: TokenHead[]}|null>} load
   */
  async show(result, load) {
    this.#list.hidden = !result;
    if (!result) {
      setText(this.#words, 'Analyze the corpus to see which entries it never uses.');
      return;
    }
    const { never_seen: unseen, vocab_size: size } = result;
    const share = percent(unseen / size, 0);
    setText(
      this.#words,
      `${count(unseen)} of ${plural(size, 'entry', 'entries')} (${share}) do not occur in this corpus. ` +
        'A longer text uses more.',
    );
    await this.#rows?.show(load);
  }

  /** @param {number} at */
  #row(at) {
    const token = this.#rows?.at(at);
    return [
      h('span', { class: 'number faint', role: 'gridcell' }, token ? String(token.id) : '…'),
      h('span', { role: 'gridcell' }, h('bdi', { dir: 'ltr', class: 'mono' }, ...(token ? labelNodes(token) : []))),
    ];
  }
}

customElements.define('never-seen', NeverSeen);
