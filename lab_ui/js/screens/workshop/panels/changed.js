/**
 * What changed: tokens added, removed and renumbered, and what stands in their place.
 */
import { textOfByteAlphabet } from '../../../text/byte_alphabet.js';
import { spellingOf } from '../../../text/spelling.js';
import { drawnOnce, h, listen } from '../../../ui/dom.js';
import { SegmentedControl } from '../../../ui/segmented_control.js';
import { count, plural } from '../../../util/format.js';

/** @typedef {import('../../../api/schema.d.ts').ChangedToken} ChangedToken */
/** @typedef {import('../../../api/schema.d.ts').Edited} Edited */

/** @typedef {'added'|'removed'|'moved'} Group */

const MOST = 200;
/** @type {[Group, string][]} */
const GROUPS = [
  ['added', 'Added'],
  ['removed', 'Removed'],
  ['moved', 'Renumbered'],
];

export class ChangedPanel {
  /** @type {Edited|null} */
  #done = null;
  #filter = h('input', {
    type: 'search',
    placeholder: 'Text or ID',
    'aria-label': 'Find in what changed',
    oninput: () => this.#draw(),
  });
  #group = new SegmentedControl();
  #list = h('ul', { class: 'workshop-tokens' });
  #note = h('p', { class: 'dim' });
  element = h('div', { class: 'workshop-changed' }, this.#filter, this.#group, this.#list, this.#note);

  constructor() {
    this.#group.ariaLabel = 'Changes';
    listen(this.#group, 'valuechange', () => this.#draw());
  }

  /** @param {Edited|null} done */
  show(done) {
    const isNew = done !== this.#done;
    this.#done = done;
    this.#group.options = GROUPS.map(([value, label]) => ({
      value,
      label: `${label} ${count(done ? done[`${value}_count`] : 0)}`,
    }));
    this.#group.value ??= 'added';
    const shown = /** @type {Group} */ (this.#group.value);
    // A group without tokens is left for one that has some.
    if (isNew && done && !done[`${shown}_count`])
      this.#group.value = GROUPS.find(([value]) => done[`${value}_count`])?.[0] ?? shown;
    this.#draw();
  }

  #draw() {
    const value = /** @type {Group} */ (this.#group.value ?? 'added');
    const all = this.#done?.[value] ?? [];
    const wanted = this.#filter.value.trim();
    const found = all.filter(token => !wanted || matches(token, wanted)).slice(0, MOST);
    drawnOnce(this.#list, [value, wanted, found], () => found.map(tokenItem));
    const total = this.#done?.[`${value}_count`] ?? 0;
    const words = total > found.length ? `${count(found.length)} of ${plural(total, 'token')} shown` : '';
    this.#note.textContent = total ? words : 'None.';
  }
}

/** @param {ChangedToken} token @param {string} wanted */
const matches = ({ token, old, new: now, parts }, wanted) =>
  [token, String(old ?? ''), String(now ?? '')].some(text => text.includes(wanted)) || parts.includes(wanted);

/** @param {ChangedToken} token */
function tokenItem({ token, old, new: now, parts }) {
  const ids = [old, now].filter(id => id !== null).map(String);
  return h(
    'li',
    {},
    face(token),
    h('span', { class: 'number faint' }, ids.join(' → ')),
    parts.length ? h('p', { class: 'dim' }, now === null ? 'now ' : 'was ', ...parts.slice(0, 12).map(face)) : null,
  );
}

/** A token as the lab spells it: "·world" for "Ġworld" of the vocabulary. @param {string} token */
const face = token =>
  h(
    'bdi',
    { class: 'token-face mono', dir: 'ltr' },
    spellingOf({ text: textOfByteAlphabet(token) ?? token, bytes: '' }),
  );
