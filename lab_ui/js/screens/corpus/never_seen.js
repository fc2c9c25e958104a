/** Entries of a vocabulary that do not occur in the corpus. Gets `show`. */
import { EntryLoader } from '../../api/entry_loader.js';
import { h, setText } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { labelNodes } from '../../ui/token_label.js';
import { VirtualList } from '../../ui/virtual_list.js';
import { count, percent, plural } from '../../util/format.js';

const PAGE = 200;
const ROW = 24;

/** @typedef {import('../../api/types.js').TokenHead} TokenHead */

export class NeverSeen extends LabElement {
  #words = h('p', { class: 'chart-caption drawer-caption' });
  #list = new VirtualList();
  #pages = new Map();
  /** @type {EntryLoader|null} */
  #loader = null;
  /** How many times entries were asked for from the first on. */
  #asked = 0;

  render() {
    this.append(this.#words, this.#list);
    this.#list.start({ rowHeight: ROW, label: 'Entries that do not occur', drawRow: row => this.#row(row) });
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
    const pages = new Map([[0, first.rows]]);
    const page = async n => {
      const answer = await load(n * PAGE, PAGE).catch(() => null);
      if (answer) pages.set(n, answer.rows);
      return Boolean(answer);
    };
    this.#pages = pages;
    this.#loader = new EntryLoader(
      async wanted => (await Promise.all(wanted.map(page))).every(Boolean),
      () => this.#pages === pages && this.#list.redraw(),
    );
    this.#list.scrollTop = 0;
    this.#list.count = first.total;
  }

  #row(at) {
    const token = this.#pages.get(Math.floor(at / PAGE))?.[at % PAGE];
    if (!token) this.#loader?.want(Math.floor(at / PAGE));
    return [
      h('span', { class: 'number faint', role: 'gridcell' }, token ? String(token.id) : '…'),
      h('span', { role: 'gridcell' }, h('bdi', { dir: 'ltr', class: 'mono' }, ...(token ? labelNodes(token) : []))),
    ];
  }
}

customElements.define('never-seen', NeverSeen);
