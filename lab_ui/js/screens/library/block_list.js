/**
 * The blocks of one stage in their order: added from a list of names, moved, taken out; or left as another tokenizer
 * has them. Gets `label` and `names` by property, has `value` (names in order, null for "as it is"), reports
 * `blockschange`.
 */
import { LabElement } from '../../ui/element.js';
import { actionButton, all, h, listen } from '../../ui/dom.js';
import { ICONS, icon } from '../../ui/icons.js';
import { ToggleSwitch } from '../../ui/toggle_switch.js';

export class BlockList extends LabElement {
  #label = '';
  /** @type {string[]} */
  #blocks = [];
  #own = new ToggleSwitch();
  #list = h('ol', { class: 'blocks' });
  #select = h('select', {
    onchange: () => {
      if (this.#select.value) this.#set([...this.#blocks, this.#select.value]);
      this.#select.value = '';
    },
  });

  render() {
    this.#own.checked = false;
    listen(this.#own, 'valuechange', () => {
      this.#draw();
      this.emit('blockschange');
    });
    this.append(this.#own, this.#list, this.#select);
    this.#draw();
  }

  /** @param {string} label such as "normalizers" */
  set label(label) {
    this.#label = label;
    this.#own.label = `Replace ${label}`;
    this.#select.ariaLabel = `Add to the ${label}`;
  }

  /** @param {string[]} names */
  set names(names) {
    this.#select.replaceChildren(
      h('option', { value: '' }, `Add ${this.#label.replace(/s$/, '')}…`),
      ...names.map(name => h('option', { value: name }, name)),
    );
  }

  /** @returns {string[]|null} */
  get value() {
    return this.#own.checked ? [...this.#blocks] : null;
  }

  /** @param {string[]} blocks */
  #set(blocks) {
    this.#blocks = blocks;
    this.#draw();
    this.emit('blockschange');
  }

  /** @param {number} at @param {number} by */
  #move(at, by) {
    const blocks = [...this.#blocks];
    [blocks[at], blocks[at + by]] = [blocks[at + by], blocks[at]];
    this.#set(blocks);
    const row = this.#list.children[at + by];
    (all(row, `button[data-by="${by}"]:not(:disabled)`)[0] ?? all(row, 'button:not(:disabled)')[0]).focus();
  }

  #draw() {
    this.#list.hidden = this.#select.hidden = !this.#own.checked;
    /**
     * @param {string} path of the icon @param {string} label @param {() => void} handler @param {boolean} disabled
     * @param {string} by
     */
    const button = (path, label, handler, disabled, by) =>
      actionButton(icon(path, 14), handler, {
        class: 'button',
        title: label,
        'aria-label': label,
        disabled,
        'data-by': by,
      });
    this.#list.ariaLabel = this.#label;
    this.#list.replaceChildren(
      ...this.#blocks.map((name, at) =>
        h(
          'li',
          { class: 'block' },
          h('span', { class: 'mono' }, name),
          h('span', { class: 'grow' }),
          button(ICONS.up, `Move ${name} up`, () => this.#move(at, -1), at === 0, '-1'),
          button(ICONS.down, `Move ${name} down`, () => this.#move(at, 1), at === this.#blocks.length - 1, '1'),
          button(
            ICONS.cross,
            `Remove ${name}`,
            () => {
              this.#set(this.#blocks.filter((_, other) => other !== at));
              this.#select.focus();
            },
            false,
            '0',
          ),
        ),
      ),
    );
  }
}

customElements.define('block-list', BlockList);
