/**
 * The options of an algorithm that the form can change, with the preset's values as what stands in an empty field. Gets
 * `show`; reports `detailchange` (detail: what differs from the preset, by name).
 */
import { h } from '../../../ui/dom.js';
import { LabElement } from '../../../ui/element.js';
import { NORMALIZERS } from '../train_setup.js';
import { field } from './form_parts.js';

const NOTHING = 'none';

/** @typedef {typeof import('../train_setup.js').DETAILS[number]} Detail */

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
    for (const { name, kind } of details) {
      const control = /** @type {HTMLInputElement|HTMLSelectElement} */ (this.querySelector(`#train-${name}`));
      if (control === document.activeElement) continue;
      if (control instanceof HTMLInputElement && kind === 'flag') control.checked = Boolean(own[name] ?? usual[name]);
      else if (kind === 'normalizer') control.value = normalizerOf(name in own ? own[name] : usual[name]);
      else control.value = name in own ? wordsOf(own[name]) : '';
    }
  }

  /** @param {Detail} detail @param {any} usual */
  #field(detail, usual) {
    const { name, label, kind, hint, least, most, step = 1 } = detail;
    const common = { id: `train-${name}`, 'data-role': `train-${name}`, title: hint };
    if (kind === 'normalizer') return field(label, this.#normalizer(common, name, usual));
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

  /** @param {Object<string, any>} common @param {string} name @param {any} usual */
  #normalizer(common, name, usual) {
    const isOwn = normalizerOf(usual) === '';
    const control = h(
      'select',
      {
        ...common,
        onchange: () => {
          const found = NORMALIZERS.find(({ value }) => value === control.value);
          this.#set(name, found?.stage ?? null, control.value === normalizerOf(usual));
        },
      },
      isOwn ? h('option', { value: '' }, 'As the preset') : null,
      ...NORMALIZERS.map(({ value, label }) => h('option', { value }, label)),
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

/** @param {any} stage @returns {string} empty: one that the form cannot name */
function normalizerOf(stage) {
  if (!stage) return NOTHING;
  return NORMALIZERS.find(each => each.stage && JSON.stringify(each.stage) === JSON.stringify(stage))?.value ?? '';
}

customElements.define('train-detail-fields', DetailFields);
