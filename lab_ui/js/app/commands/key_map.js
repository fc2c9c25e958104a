/** Every key of the lab on one page. ARIA pattern: modal dialog. Gets the commands when it opens. */
import { LabElement } from '../../ui/element.js';
import { h, listen } from '../../ui/dom.js';
import { dialog } from '../../ui/dialog.js';
import { ToggleSwitch } from '../../ui/toggle_switch.js';
import { keyParts } from './command.js';

export class KeyMap extends LabElement {
  /** @type {HTMLDialogElement} */
  #dialog;
  #groups = h('div', { class: 'key-groups' });
  #single = new ToggleSwitch();
  /** @type {import('../state/settings.js').Settings} */
  #settings;

  render() {
    const head = [h('span', { class: 'dim' }, 'Single keys are off while you type'), this.#single];
    this.#dialog = dialog({ label: 'Keys', class: 'key-map', head }, this.#groups);
    this.#dialog.dataset.role = 'key-map';
    this.append(this.#dialog);
    this.#single.label = 'Single-key shortcuts';
    listen(this.#single, 'valuechange', singleKeys => this.#settings.set({ singleKeys }));
  }

  get open() {
    return Boolean(this.#dialog?.open);
  }

  /**
   * @param {import('./command.js').Command[]} commands those without keys are left out
   * @param {import('../state/settings.js').Settings} settings
   */
  show(commands, settings) {
    this.#settings = settings;
    this.#single.checked = settings.get('singleKeys');
    /** @type {Map<string, import('./command.js').Command[]>} */
    const groups = new Map();
    for (const command of commands) {
      if (!command.keys?.length) continue;
      const group = command.group ?? 'Everywhere';
      groups.set(group, [...(groups.get(group) ?? []), command]);
    }
    this.#groups.replaceChildren(
      ...[...groups].map(([group, of]) =>
        h(
          'section',
          {},
          h('h2', {}, group),
          h(
            'dl',
            {},
            of.flatMap(({ label, keys = [] }) => [
              h(
                'dt',
                {},
                keys.map(key =>
                  h(
                    'span',
                    { class: 'keys' },
                    keyParts(key).map(part => h('kbd', {}, part)),
                  ),
                ),
              ),
              h('dd', {}, label),
            ]),
          ),
        ),
      ),
    );
    this.#dialog.showModal();
  }
}

customElements.define('key-map', KeyMap);
