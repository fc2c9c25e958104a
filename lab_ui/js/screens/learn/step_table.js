/**
 * The state of a lesson as numbers. Gets `show`; reports `choose` (detail: the key of the choice that a row is) and
 * `light` (detail: what the row stands for, null when it is left).
 */
import { LabElement } from '../../ui/element.js';
import { closest, drawnOnce, h } from '../../ui/dom.js';
import { numbers, table } from '../../ui/table.js';

export class StepTable extends LabElement {
  constructor() {
    super();
    this.addEventListener('click', event => {
      const choice = closest(event, '[data-choice]')?.dataset.choice;
      if (choice !== undefined) this.emit('choose', choice);
    });
    for (const type of ['pointerover', 'pointerout'])
      this.addEventListener(type, event =>
        this.emit('light', type === 'pointerover' ? (closest(event, '[data-ref]')?.dataset.ref ?? null) : null),
      );
  }

  /** @param {ReturnType<import('../../lessons/scenes/scene.js').Scene['table']>} shown */
  show(shown) {
    drawnOnce(this, shown, () => [
      table({
        caption: shown.caption,
        columns: shown.columns.map((label, n) =>
          shown.numeric.includes(n) ? numbers(label) : { label, className: 'mono' },
        ),
        rows: shown.rows.map(({ cells, ref, choice, isMarked }) => ({
          cells: cells.map((cell, n) =>
            choice !== undefined && n === 0
              ? h('button', { type: 'button', class: 'link', 'data-key': choice }, h('bdi', {}, cell))
              : h('bdi', {}, cell),
          ),
          properties: { 'data-ref': ref, 'data-choice': choice, class: isMarked ? 'marked' : '' },
        })),
      }),
    ]);
  }

  clear() {
    drawnOnce(this, null, () => []);
  }
}

customElements.define('step-table', StepTable);
