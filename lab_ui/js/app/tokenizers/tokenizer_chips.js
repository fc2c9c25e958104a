/**
 * The tokenizers in use. Gets `tokenizers` by property, reports by events: `pick` and `remove`, whose `detail` is the
 * id, and `pointat` (detail: the id of the chip that is pointed at or has the focus, or null). ARIA pattern:
 * toolbar. The Delete key removes; the cross is seen while a chip is pointed at or has the focus.
 */
import { LabElement } from '../../ui/element.js';
import { actionButton, all, closest, focused, h, setText, update } from '../../ui/dom.js';
import { ICONS, icon } from '../../ui/icons.js';
import { roving } from '../../ui/roving.js';
import { tokenizerBadge } from '../../ui/tokens/tokenizer_badge.js';
import { MANY, shortNames } from './short_names.js';
import { Seen } from '../../util/seen.js';

/**
 * @typedef {{id: string, name: string, letter: string, active: boolean, hint: string, misfit?: string}} Tokenizer
 *   `active`: the one this screen shows; `hint`: what choosing it does; `misfit`: why the screen cannot show it
 */
export class TokenizerChips extends LabElement {
  #drawn = new Seen();
  #stopAt = roving(this, '.pick');

  render() {
    this.role = 'toolbar';
    this.ariaLabel = 'Tokenizers in use';
    for (const type of ['pointerover', 'focusin', 'pointerout', 'focusout'])
      this.addEventListener(type, event =>
        this.emit('pointat', /over|in$/.test(type) ? (closest(event, '.chip')?.dataset.tokenizer ?? null) : null),
      );
    this.addEventListener('keydown', event => {
      const chip = closest(event, '.chip');
      if (!chip || (event.key !== 'Delete' && event.key !== 'Backspace')) return;
      event.preventDefault();
      if (chip.dataset.removable === 'true') this.emit('remove', chip.dataset.tokenizer);
    });
  }

  /** @param {Tokenizer[]} tokenizers */
  set tokenizers(tokenizers) {
    if (this.#drawn.again(tokenizers)) return; // keeps the focus where it is
    const held = all(this, '.chip').findIndex(chip => chip.contains(focused()));
    this.dataset.many = String(tokenizers.length >= MANY);
    const names = shortNames(tokenizers.map(({ name }) => name));
    update(
      this,
      tokenizers.map((tokenizer, n) => ({ ...tokenizer, short: names[n] })),
      ({ id, letter }) => `${id} ${letter}`,
      tokenizer => this.#chip(tokenizer),
      (chip, tokenizer) => writeChip(chip, tokenizer, tokenizers.length > 1),
    );
    const picks = all(this, '.pick');
    this.#stopAt(picks[tokenizers.findIndex(({ active }) => active)]);
    // The chip with the focus was removed: its neighbour has it now.
    if (held >= 0 && !this.contains(focused())) picks[Math.min(held, picks.length - 1)]?.focus();
  }

  /** @param {{id: string, letter: string}} tokenizer */
  #chip({ id, letter }) {
    /** @param {string} type */
    const report = type => () => this.emit(type, id);
    return h(
      'span',
      { class: 'chip', 'data-tokenizer': id },
      actionButton([tokenizerBadge(letter), h('span', { class: 'name clip' })], report('pick'), {
        class: 'pick',
        'aria-keyshortcuts': 'Delete',
      }),
      actionButton(icon(ICONS.cross, 10), report('remove'), { class: 'remove' }),
    );
  }
}

/** @param {HTMLElement} chip @param {Tokenizer & {short: string}} tokenizer @param {boolean} isRemovable */
function writeChip(chip, { name, short, active, hint, misfit = '' }, isRemovable) {
  const [pick, remove] = /** @type {HTMLButtonElement[]} */ (all(chip, 'button'));
  chip.dataset.active = String(active);
  chip.dataset.removable = String(isRemovable);
  pick.ariaPressed = String(active);
  pick.ariaLabel = short === name ? null : name;
  chip.dataset.misfit = String(misfit !== '');
  const said = misfit || hint;
  pick.title = short === name ? said : `${name}. ${said}`;
  if (misfit) pick.setAttribute('aria-description', misfit);
  else pick.removeAttribute('aria-description');
  setText(pick.lastElementChild, short);
  remove.disabled = remove.hidden = !isRemovable;
  remove.ariaLabel = `Remove ${name}`;
  remove.title = `${remove.ariaLabel} (Delete)`;
}

customElements.define('tokenizer-chips', TokenizerChips);
