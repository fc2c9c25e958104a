/**
 * The options of an algorithm that the form can change. An empty field shows the value of the preset, which counts
 * then. A wrong value stays in its field, with an error. Gets `show`; reports `detailchange` (detail: what differs from
 * the preset, by name).
 */
import { drawnOnce, h, setText } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { numberOf } from './train_details.js';
import { isSame } from '../../util/seen.js';
import { field, mark, problem } from '../../ui/form.js';

/**
 * @typedef {import('./train_details.js').Detail} Detail
 * @typedef {import('./train_details.js').OptionChoice} OptionChoice
 */

export class DetailFields extends LabElement {
  /** @type {Object<string, any>} */
  #own = {};

  /**
   * @param {Detail[]} details @param {Object<string, any>} usual values of the preset @param {Object<string, any>} own
   *   that differ from them @param {Object<string, string>} problems by name
   */
  show(details, usual, own, problems) {
    this.#own = own;
    drawnOnce(this, [details.map(({ name }) => name), usual], () => details.map(each => this.#field(each, usual)));
    for (const { name, kind, choices = [] } of details) {
      const control = /** @type {HTMLInputElement|HTMLSelectElement} */ (this.querySelector(`#train-${name}`));
      this.#drawProblem(control, name, problems[name] ?? '');
      if (control === document.activeElement) continue;
      if (control instanceof HTMLInputElement && kind === 'flag') control.checked = Boolean(own[name] ?? usual[name]);
      else if (kind === 'choice') control.value = choiceOf(choices, name in own ? own[name] : usual[name]);
      else control.value = name in own ? wordsOf(own[name]) : '';
    }
  }

  /** @param {HTMLElement} control @param {string} name @param {string} words */
  #drawProblem(control, name, words) {
    const element = /** @type {HTMLElement} */ (this.querySelector(`#train-${name}-problem`));
    const isNew = element.hidden && words !== '';
    element.hidden = !words;
    setText(element, words);
    mark(control, words !== '');
    if (isNew && control === document.activeElement) element.scrollIntoView({ block: 'nearest' });
  }

  /** @param {Detail} detail @param {Object<string, any>} options of the preset */
  #field({ name, label, kind, hint, unset, range, choices = [] }, options) {
    const usual = options[name];
    const common = {
      id: `train-${name}`,
      'data-role': `train-${name}`,
      'aria-describedby': `train-${name}-problem train-${name}-hint`,
    };
    const notes = [
      problem(`train-${name}-problem`),
      h('p', { class: 'faint', id: `train-${name}-hint` }, hint(options)),
    ];
    if (kind === 'choice') return field(label, this.#choice(common, name, choices, usual), ...notes);
    /** @type {HTMLInputElement} */
    const input = h('input', {
      ...common,
      type: kind === 'flag' ? 'checkbox' : 'text', // a field of numbers would not say what else was typed
      class: kind === 'list' ? 'mono' : '',
      inputMode: kind !== 'number' ? '' : range?.isWhole ? 'numeric' : 'decimal',
      placeholder: wordsOf(usual) || (unset?.(options) ?? 'none'),
      spellcheck: false,
      autocomplete: 'off',
      oninput: () => this.#change(name, kind, input, usual),
    });
    return field(label, input, ...notes);
  }

  /** @param {Object<string, any>} common @param {string} name @param {OptionChoice[]} choices @param {any} usual */
  #choice(common, name, choices, usual) {
    const isOwn = choiceOf(choices, usual) === '';
    const control = h(
      'select',
      {
        ...common,
        onchange: () => {
          const found = choices.find(({ value }) => value === control.value);
          this.#set(name, found?.option ?? null, control.value === choiceOf(choices, usual));
        },
      },
      isOwn ? h('option', { value: '' }, 'As the preset') : null,
      ...choices.map(({ value, label }) => h('option', { value }, label)),
    );
    return control;
  }

  /** @param {string} name @param {Detail['kind']} kind @param {HTMLInputElement} input @param {any} usual */
  #change(name, kind, input, usual) {
    const isEmpty = input.value.trim() === '';
    if (kind === 'flag') this.#set(name, input.checked, input.checked === Boolean(usual));
    else if (kind === 'list') this.#set(name, input.value.split(/\s+/).filter(Boolean), isEmpty);
    else this.#set(name, numberOf(input.value), isEmpty);
  }

  /** @param {string} name @param {any} value @param {boolean} isUsual */
  #set(name, value, isUsual) {
    const { [name]: _, ...others } = this.#own;
    this.emit('detailchange', isUsual ? others : { ...others, [name]: value });
  }
}

/** @param {any} value */
const wordsOf = value =>
  Array.isArray(value) ? value.join(' ') : value === null || value === undefined ? '' : String(value);

/** @param {OptionChoice[]} choices @param {any} wanted @returns {string} empty: not one of the choices */
const choiceOf = (choices, wanted) => choices.find(({ option }) => isSame(option, wanted ?? null))?.value ?? '';

customElements.define('train-detail-fields', DetailFields);
