/**
 * The tokenizers in use. Gets `tokenizers` by property, reports by events: `pick` and `remove`, whose `detail` is the
 * id.
 */
import { LabElement } from '../ui/element.js';
import { h } from '../ui/dom.js';
import { ICONS, icon } from '../ui/icons.js';
import { tokenizerBadge } from '../ui/tokenizer_badge.js';

const MOST_NAMES = 5;

export class TokenizerChips extends LabElement {
  #drawn = '';

  render() {
    this.role = 'group';
    this.ariaLabel = 'Tokenizers in use';
  }

  /**
   * @param {{id: string, name: string, letter: string, active: boolean, hint: string}[]} tokenizers `active`: the one
   *   this screen shows; `hint`: what choosing it does
   */
  set tokenizers(tokenizers) {
    const wanted = JSON.stringify(tokenizers);
    if (wanted === this.#drawn) return; // keeps the focus where it is
    this.#drawn = wanted;
    this.dataset.many = String(tokenizers.length > MOST_NAMES); // then the badge has to do; the name is in its tooltip
    this.replaceChildren(
      ...tokenizers.map(tokenizer => this.#chip(tokenizer, tokenizers.length > 1, tokenizers.length > MOST_NAMES)),
    );
  }

  #chip({ id, name, letter, active, hint }, removable, many) {
    const report = type => () => this.emit(type, id);
    return h(
      'span',
      { class: 'chip', 'data-tokenizer': id, 'data-active': String(active) },
      h(
        'button',
        {
          type: 'button',
          class: 'pick',
          'aria-pressed': String(active),
          title: hint,
          'aria-label': many ? name : null,
          onclick: report('pick'),
        },
        tokenizerBadge(letter),
        h('span', { class: 'name' }, shortName(name)),
      ),
      h(
        'button',
        {
          type: 'button',
          class: 'remove',
          disabled: !removable,
          hidden: !removable,
          'aria-label': `Remove ${name}`,
          onclick: report('remove'),
        },
        icon(ICONS.cross),
      ),
    );
  }
}

/** Without what stands in brackets: the bar is narrow. */
const shortName = name => name.replace(/ \(.*\)$/, '');

customElements.define('tokenizer-chips', TokenizerChips);
