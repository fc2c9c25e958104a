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
        rows: shown.rows.map(({ cells, colours, ref, choice, isMarked }) => ({
          cells: cells.map((cell, n) => {
            const content = n === 0 && colours ? inColours(cell, colours) : [h('bdi', {}, cell)];
            return choice !== undefined && n === 0
              ? h('button', { type: 'button', class: 'link', 'data-key': choice }, ...content)
              : content;
          }),
          properties: { 'data-ref': ref, 'data-choice': choice, class: isMarked ? 'marked' : '' },
        })),
      }),
    ]);
  }

  clear() {
    drawnOnce(this, null, () => []);
  }
}

/** Tokens in their colours, with a plus between them. @param {string} cell @param {number[]} colours */
const inColours = (cell, colours) =>
  cell.split(' + ').flatMap((name, n) => [n ? ' + ' : '', h('bdi', { class: `token-${colours[n] % 4}` }, name)]);

customElements.define('step-table', StepTable);
