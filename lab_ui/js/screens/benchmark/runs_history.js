/**
 * All runs, with the difference of the two that are chosen. Gets `show`; reports `openrun`, `comparerun` and
 * `removerun` (detail: id).
 */
import { confirmButton } from '../../ui/confirm_button.js';
import { h, listen } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { ChangesList } from './changes_list.js';
import { RunsList } from './runs_list.js';

export class RunsHistory extends LabElement {
  #list = new RunsList();
  #changes = new ChangesList();
  #empty = h('p', { class: 'dim view-words' }, 'No run is kept yet.');
  #actions = h('div', { class: 'bench-actions' });
  #shown = '';

  render() {
    this.append(
      this.#empty,
      h('section', {}, this.#list, this.#actions),
      h('section', { class: 'history-changes' }, this.#changes),
    );
    for (const type of ['openrun', 'comparerun']) listen(this.#list, type, id => this.emit(type, id));
  }

  /**
   * @param {import('../../api/schema.d.ts').BenchmarkSummary[]} lines @param {number|null} shown @param {number|null}
   *   before @param {import('../../api/schema.d.ts').BenchmarkChanges|null} changes
   */
  show(lines, shown, before, changes) {
    this.#empty.hidden = lines.length > 0;
    this.#list.hidden = !lines.length;
    this.#list.show(lines, shown, before);
    this.#changes.changes = changes;
    if (this.#shown === String(shown)) return;
    this.#shown = String(shown);
    this.#actions.replaceChildren(
      ...(shown === null
        ? []
        : [confirmButton({ label: `Delete run ${shown}`, name: '', handler: () => this.emit('removerun', shown) })]),
    );
  }
}

customElements.define('runs-history', RunsHistory);
