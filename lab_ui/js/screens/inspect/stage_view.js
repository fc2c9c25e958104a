/** What a text looks like after one stage. Gets `show`; reports `stage` with null when it is closed. */
import { LabElement } from '../../ui/element.js';
import { actionButton, h } from '../../ui/dom.js';
import { ICONS, icon } from '../../ui/icons.js';
import { stageFaces } from '../../ui/tokens/stage_faces.js';

/** @typedef {{message: string}|(import('../../ui/tokens/stage_faces.js').Staged & {part: string})} StageShown */
export class StageView extends LabElement {
  #title = h('h2');
  #part = h('span', { class: 'faint' });
  #body = h('div', { class: 'stage-body', tabIndex: 0, role: 'region' });

  render() {
    this.id = 'stage-view';
    this.hidden = true;
    this.append(
      h(
        'div',
        { class: 'stage-head' },
        this.#title,
        this.#part,
        h('span', { class: 'grow' }),
        actionButton(icon(ICONS.cross, 14), () => this.emit('stage', null), {
          class: 'button',
          'aria-label': 'Close the stage',
          title: 'Close (Esc)',
        }),
      ),
      this.#body,
    );
  }

  /** @param {string|null} stage null closes @param {StageShown} [shown] */
  show(stage, shown = { message: 'Loading…' }) {
    this.hidden = !stage;
    if (!stage) return;
    this.dataset.shown = stage;
    this.#title.textContent = `After the ${stage}`;
    this.#body.ariaLabel = `The text after the ${stage}`;
    this.#part.textContent = 'trace' in shown ? shown.part : '';
    this.#body.replaceChildren(
      ...('trace' in shown ? stageFaces(stage, shown) : [h('p', { class: 'dim' }, shown.message)]),
    );
  }
}

customElements.define('stage-view', StageView);
