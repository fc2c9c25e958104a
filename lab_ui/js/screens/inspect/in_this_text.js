/**
 * Where the chosen token is in the text, and which clusters (what a reader takes for one character) several tokens
 * share. Gets `showToken` and `showSplit`; reports `nextplace` (detail: -1 or 1) and `nextsplit` (detail: a cluster).
 */
import { LabElement } from '../../ui/element.js';
import { actionButton, h, setText } from '../../ui/dom.js';
import { ICONS, icon } from '../../ui/icons.js';
import { plural } from '../../util/format.js';
import { visibleNodes } from '../../ui/tokens/token_spans_text.js';

export class InThisText extends LabElement {
  #times = h('span', { class: 'number', 'data-role': 'occurrences' });
  #split = h('dd', { class: 'split-characters', 'data-role': 'split-characters' });
  /** @type {HTMLButtonElement[]} */
  #buttons;

  render() {
    /** @param {-1|1} by @param {string} label @param {string} path of the icon */
    const button = (by, label, path) =>
      actionButton(icon(path, 14), () => this.emit('nextplace', by), {
        class: 'button',
        'aria-label': label,
        title: label,
      });
    this.#buttons = [button(-1, 'Previous occurrence', ICONS.back), button(1, 'Next occurrence', ICONS.on)];
    this.append(
      h(
        'section',
        { class: 'panel-part', 'aria-label': 'In this text' },
        h('h3', {}, 'In this text'),
        h(
          'dl',
          { class: 'fact-list' },
          h('dt', {}, 'this token'),
          h('dd', { class: 'places' }, this.#times, ...this.#buttons),
          h(
            'dt',
            {
              title:
                'What a reader sees as one character, such as a flag or a letter with its accents, ' +
                'split over several tokens',
            },
            'split clusters',
          ),
          this.#split,
        ),
      ),
    );
    this.showToken(null);
    this.showSplit({ characters: [], more: false });
  }

  /** @param {number|null} times the token occurs; null: no token */
  showToken(times) {
    this.hidden = times === null;
    if (times === null) return;
    setText(this.#times, plural(times, 'occurrence'));
    for (const button of this.#buttons) button.disabled = times < 2;
  }

  /**
   * @param {{characters: {character: string, tokens: number[]}[], more: boolean}} split `tokens`: the ids of its first
   *   place
   */
  showSplit({ characters, more }) {
    const buttons = characters.map(({ character, tokens }) =>
      actionButton(
        [
          h('bdi', {}, ...visibleNodes(character)),
          h(
            'span',
            { class: 'split-count number' },
            String(tokens.length),
            h('span', { class: 'visually-hidden' }, ' tokens'),
          ),
        ],
        () => this.emit('nextsplit', character),
        {
          class: 'split-character',
          title:
            `${plural(tokens.length, 'token')}: ${tokens.join(' ')}. ` +
            'Go to the next place where this character is split',
        },
      ),
    );
    this.#split.replaceChildren(
      ...(buttons.length ? buttons : [h('span', { class: 'dim' }, 'none')]),
      more ? h('span', { class: 'faint' }, '…') : '',
    );
  }
}

customElements.define('in-this-text', InThisText);
