/**
 * The options of an algorithm that the form can change, with the preset's values as what stands in an empty field. Gets
 * `show`; reports `detailchange` (detail: what differs from the preset, by name).
 */
import { h } from '../../../ui/dom.js';
import { LabElement } from '../../../ui/element.js';
import { field } from './form_parts.js';

const NOTHING = 'none';

/**
 * @typedef {typeof import('../train_setup.js').DETAILS[number]} Detail
 * @typedef {import('../train_setup.js').OptionChoice} OptionChoice
 */

export class DetailFields extends LabElement {
  #drawn = '';
  /** @type {Object<string, any>} */
  #own = {};

  /**
   * @param {Detail[]} details @param {Object<string, any>} usual values of the preset @param {Object<string, any>} own
   *   that differ from them
   */
  show(details, usual, own) {
    this.#own = own;
    const version = JSON.stringify([details, usual]);
    if (version !== this.#drawn) {
      this.#drawn = version;
      this.replaceChildren(...details.map(detail => this.#field(detail, usual[detail.name])));
    }
    for (const { name, kind, choices = [] } of details) {
      const control = /** @type {HTMLInputElement|HTMLSelectElement} */ (this.querySelector(`#train-${name}`));
      if (control === document.activeElement) continue;
      if (control instanceof HTMLInputElement && kind === 'flag') control.checked = Boolean(own[name] ?? usual[name]);
      else if (kind === 'choice') control.value = choiceOf(choices, name in own ? own[name] : usual[name]);
      else control.value = name in own ? wordsOf(own[name]) : '';
    }
  }

  /** @param {Detail} detail @param {any} usual */
  #field(detail, usual) {
    const { name, label, kind, hint, least, most, step = 1, choices = [] } = detail;
    const common = { id: `train-${name}`, 'data-role': `train-${name}`, title: hint };
    if (kind === 'choice') return field(label, this.#choice(common, name, choices, usual));
    /** @type {HTMLInputElement} */
    const input = h('input', {
      ...common,
      type: { number: 'number', list: 'text', flag: 'checkbox' }[kind],
      ...(kind === 'number' ? { min: String(least ?? ''), max: String(most ?? ''), step: String(step) } : {}),
      placeholder: wordsOf(usual) || NOTHING,
      spellcheck: false,
      oninput: () => this.#change(name, kind, input, usual),
    });
    return field(label, input);
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
    if (kind === 'flag') this.#set(name, input.checked, input.checked === Boolean(usual));
    else if (kind === 'list') this.#set(name, input.value.split(/\s+/).filter(Boolean), input.value.trim() === '');
    else if (input.value === '' || input.validity.valid) this.#set(name, Number(input.value), input.value === '');
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
const choiceOf = (choices, wanted) =>
  choices.find(({ option }) => JSON.stringify(option) === JSON.stringify(wanted ?? null))?.value ?? '';

customElements.define('train-detail-fields', DetailFields);
