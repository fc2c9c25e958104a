/**
 * A list whose entries are put in order: by buttons, by Alt with the arrow keys, or by dragging them. Gets `show`;
 * reports `entry` (detail: the place of what was pressed), `moved` (detail: `{from, to}`) and `takenout` (detail: the
 * place). The list does not change by itself: the listener calls `show` with the new order.
 */
import { actionButton, all, closest, focused, h, setText } from './dom.js';
import { LabElement } from './element.js';
import { ICONS, icon } from './icons.js';

/**
 * @typedef {Object} Entry
 * @property {string} name
 * @property {string} note
 * @property {boolean} [isFixed] it stays where it is, at the start
 * @property {boolean} [isCurrent]
 * @property {HTMLElement[]} [fields] between its name and its buttons
 * @property {string} [action] what a press on its name does, after which its number is said; else it is presented
 */

export class OrderedList extends LabElement {
  #list = h('ol', { class: 'ordered-list' });
  /** @type {Entry[]} */
  #entries = [];
  /** The place of what is dragged. @type {number|null} */
  #dragged = null;
  /** What has the focus when the list is shown again. @type {{at: number, action?: string}|null} */
  #focus = null;

  render() {
    this.append(this.#list);
    this.addEventListener('keydown', event => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      const at = this.#placeOf(event);
      if (!event.altKey || !by || at < 0) return;
      event.preventDefault();
      this.#move(at, at + by);
    });
    this.addEventListener('dragstart', event => {
      this.#dragged = this.#placeOf(event);
    });
    this.addEventListener('dragover', event => {
      if (this.#dragged !== null && this.#canBeAt(this.#placeOf(event))) event.preventDefault();
    });
    this.addEventListener('drop', event => {
      if (this.#dragged === null) return;
      event.preventDefault();
      this.#move(this.#dragged, this.#placeOf(event));
    });
    this.addEventListener('dragend', () => {
      this.#dragged = null;
    });
  }

  /** @param {Entry[]} entries */
  show(entries) {
    const focus = this.#focus ?? this.#focusPlace();
    this.#focus = null;
    this.#entries = entries;
    this.#list.replaceChildren(...entries.map((entry, at) => this.#item(entry, at)));
    if (!focus || !entries.length) return;
    const item = all(this.#list, 'li')[Math.min(focus.at, entries.length - 1)];
    const wanted = focus.action && item.querySelector(`[data-act=${focus.action}]:not(:disabled)`);
    /** @type {HTMLElement} */ (wanted || item.querySelector('button')).focus();
  }

  /** Another name and note of an entry. @param {number} at @param {Entry} entry */
  label(at, { name, note }) {
    const item = all(this.#list, 'li')[at];
    const [, title, after] = item.children[0].children;
    setText(title, name);
    setText(after, note);
    for (const button of all(item, '[data-act][title]')) button.ariaLabel = `${button.title}: ${name}`;
  }

  /** @param {Entry} entry @param {number} at */
  #item({ name, note, isFixed = false, isCurrent = false, fields = [], action = 'Present' }, at) {
    return h(
      'li',
      { 'aria-current': isCurrent ? 'true' : null, draggable: !isFixed },
      actionButton(
        [
          h('span', { class: 'number faint' }, String(at + 1)),
          h('bdi', { class: 'clip' }, name || 'Empty'),
          h('span', { class: 'faint number' }, note),
        ],
        () => this.emit('entry', at),
        { class: 'ordered-name', title: `${action} ${at + 1}` },
      ),
      ...fields,
      ...(isFixed ? [] : this.#buttons(name, at)),
    );
  }

  /** @param {string} name @param {number} at */
  #buttons(name, at) {
    /** @param {string} action @param {string} path @param {string} label @param {() => void} run */
    const button = (action, path, label, run, disabled = false) =>
      actionButton(icon(path), run, {
        class: 'button',
        'data-act': action,
        'aria-label': `${label}: ${name}`,
        title: label,
        disabled,
      });
    return [
      button('up', ICONS.up, 'Move up', () => this.#move(at, at - 1, 'up'), !this.#canBeAt(at - 1)),
      button('down', ICONS.down, 'Move down', () => this.#move(at, at + 1, 'down'), !this.#canBeAt(at + 1)),
      button('remove', ICONS.cross, 'Remove', () => this.emit('takenout', at)),
    ];
  }

  /** @param {number} at */
  #canBeAt(at) {
    return Boolean(this.#entries[at]) && !this.#entries[at].isFixed;
  }

  /** @param {number} from @param {number} to @param {string} [action] whose button was pressed */
  #move(from, to, action = /** @type {HTMLElement|null} */ (focused())?.dataset.act) {
    if (from === to || !this.#canBeAt(from) || !this.#canBeAt(to)) return;
    this.#focus = { at: to, action };
    this.emit('moved', { from, to });
    this.#focus = null;
  }

  /** @param {Event} event @returns {number} -1: it is at no entry */
  #placeOf(event) {
    const item = closest(event, '.ordered-list > li');
    return item ? all(this.#list, 'li').indexOf(item) : -1;
  }

  /** Where the focus is: the entries are made anew. */
  #focusPlace() {
    const at = all(this.#list, 'li').findIndex(item => item.contains(focused()));
    return at < 0 ? null : { at, action: focused()?.dataset.act };
  }
}

customElements.define('ordered-list', OrderedList);
