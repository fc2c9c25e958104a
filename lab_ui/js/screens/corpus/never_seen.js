/** Entries of a vocabulary that do not occur in the corpus. Gets `start` and `show`. */
import { PagedRows } from '../../api/paged_rows.js';
import { h, setText } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { labelNodes } from '../../ui/tokens/token_label.js';
import { VirtualList } from '../../ui/virtual_list.js';
import { count, percent, plural } from '../../util/format.js';

const PAGE = 200;
const ROW = 24;

/** @typedef {import('../../api/types.js').TokenHead} TokenHead */

export class NeverSeen extends LabElement {
  #words = h('p', { class: 'chart-caption drawer-caption' });
  #list = new VirtualList();
  /** @type {PagedRows<TokenHead>|null} */
  #rows = null;
  /** How many times entries were asked for from the first on. */
  #asked = 0;
  /** @type {(error: Error) => void} */
  #fail = () => {};

  /** @param {(error: Error) => void} fail gets what went wrong while reading */
  start(fail) {
    this.#fail = fail;
    this.append(this.#words, this.#list);
    this.#list.start({ rowHeight: ROW, label: 'Entries that do not occur', drawRow: row => this.#row(row) });
    this.#list.addEventListener('scroll', () => this.#rows?.retry(), { passive: true });
  }

  /**
   * @param {import('../../api/analyses.js').TokenizerResult|null} result
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
    const asked = ++this.#asked;
    const first = await load(0, PAGE);
    if (!first || asked !== this.#asked) return; // an answer that came late
    const rows = new PagedRows(first.rows, PAGE, load, {
      loaded: () => this.#rows === rows && this.#list.redraw(),
      fail: this.#fail,
    });
    this.#rows = rows;
    this.#list.scrollTop = 0;
    this.#list.count = first.total;
  }

  #row(at) {
    const token = this.#rows?.at(at);
    return [
      h('span', { class: 'number faint', role: 'gridcell' }, token ? String(token.id) : '…'),
      h('span', { role: 'gridcell' }, h('bdi', { dir: 'ltr', class: 'mono' }, ...(token ? labelNodes(token) : []))),
    ];
  }
}

customElements.define('never-seen', NeverSeen);
