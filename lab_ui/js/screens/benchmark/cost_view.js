/**
 * A measurement of cost: its words, its options, a button that starts it, the charts of its result. Gets `show`;
 * reports `measurecost` (detail: the chosen options, and the typed text where one is asked for), `pickcost` (detail:
 * the id of an earlier measurement) and `watch`: the lesson on what was measured is asked for.
 */
import { FigureGrid } from '../../ui/figure_grid.js';
import { actionButton, h, setText, update } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { line, offer, select } from '../../ui/form.js';
/** @import {Figure} from '../../api/schema.d.ts' */

/**
 * @typedef {{value: string, label: string}} Option
 * @typedef {{name: string, label: string, options: Option[], chosen?: string}} Choice
 * @typedef {{title: string, words: string, choices?: Choice[]}} Description
 */

/** The value of a choice that asks for a text of its own. */
export const TYPED = '@typed';

export class CostView extends LabElement {
  /** @type {Map<string, HTMLSelectElement>} */
  #choices = new Map();
  /** Choices that somebody made. @type {Set<string>} */
  #touched = new Set();
  #tools = h('div', { class: 'cost-tools' });
  /** @type {HTMLTextAreaElement} */
  #typed = h('textarea', {
    class: 'cost-typed mono',
    rows: '4',
    spellcheck: false,
    'aria-label': 'Text',
    'data-role': 'cost-typed',
    placeholder: 'Type or paste a text',
    hidden: true,
    oninput: () => this.emit('typedchange'),
  });
  #title = h('h2', { class: 'result-title' });
  #words = h('p', { class: 'bench-caption' });
  #subjects = h('p', { class: 'dim cost-subjects' });
  /** The measurements that are kept, the newest first. @type {HTMLSelectElement} */
  #kept = select('kept-costs', id => this.emit('pickcost', Number(id)));
  #earlier = line('Measurement', this.#kept);
  #figures = new FigureGrid();
  #watch = actionButton('Watch how', () => this.emit('watch'), {
    'data-role': 'watch-how',
    title: 'The lesson on these algorithms with this text, at its end',
    hidden: true,
  });
  #run = actionButton('Measure', () => this.emit('measurecost', this.#chosen), {
    class: 'button primary',
    'data-role': 'measure-cost',
  });
  /** @type {Object[]|null} */
  #drawn = null;

  render() {
    this.append(
      h('div', { class: 'cost-head' }, h('div', { class: 'grow' }, this.#title, this.#words), this.#tools),
      this.#typed,
      this.#subjects,
      this.#earlier,
      this.#figures,
    );
  }

  /** @param {Description} description */
  set description({ title, words, choices = [] }) {
    setText(this.#title, title);
    setText(this.#words, words);
    for (const { name, label, options, chosen } of choices) {
      const control = select(`cost-${name}`, () => this.#onChoice(name));
      this.#choices.set(name, control);
      this.#tools.append(line(label, control));
      this.offer(name, options);
      if (chosen !== undefined) control.value = chosen;
    }
    this.#tools.append(this.#watch, this.#run);
  }

  /**
   * Replaces the options of a choice; what somebody chose stays if it is among them.
   * @param {string} name @param {Option[]} options
   */
  offer(name, options) {
    const control = this.#choices.get(name);
    if (!control) return;
    const chosen = this.#touched.has(name) && options.find(({ value }) => value === control.value);
    offer(control, options);
    if (chosen) control.value = chosen.value;
    this.#onChoice();
  }

  /** Whether a text is asked for and missing. */
  get lacksText() {
    return !this.#typed.hidden && !this.#typed.value.trim();
  }

  /** @param {string} [name] of the choice that somebody made */
  #onChoice(name) {
    if (name) this.#touched.add(name);
    this.#typed.hidden = ![...this.#choices.values()].some(({ value }) => value === TYPED);
    this.emit('typedchange');
  }

  /**
   * @param {{figures: Figure[]|null, when?: string, kept?: Option[], shown?: string, what: string, isBusy: boolean,
   *   problem: string, canWatch?: boolean}} shown `figures`: null before the first measurement; `when` it was made, in
   *   words; `kept`: all measurements, of which `shown` is shown; `what`: a sentence on what is measured; `canWatch`:
   *   there is a lesson on what is shown
   */
  show({ figures, when = '', kept = [], shown = '', what, isBusy, problem, canWatch = false }) {
    this.#watch.hidden = !canWatch;
    this.#earlier.hidden = kept.length < 2;
    update(
      this.#kept,
      kept,
      ({ value, label }) => `${value} ${label}`,
      ({ value, label }) => h('option', { value }, label),
    );
    this.#kept.value = shown;
    this.#run.disabled = isBusy || problem !== '';
    this.#run.title = isBusy ? 'A measurement is under way' : problem;
    const words = figures ? when : problem || what;
    setText(this.#subjects, words);
    this.#subjects.hidden = words === '';
    if (figures === this.#drawn) return;
    this.#drawn = figures;
    this.#figures.show(figures ?? []);
  }

  /** What the choices say, by name, and the typed text. @returns {Object<string, string>} */
  get #chosen() {
    const chosen = Object.fromEntries([...this.#choices].map(([name, control]) => [name, control.value]));
    return this.#typed.hidden ? chosen : { ...chosen, typed: this.#typed.value };
  }
}

customElements.define('cost-view', CostView);
