/**
 * What went wrong and what to do about it, across the top of the work. Gets `error` by property; null takes it away.
 * Reports `dismiss` when its cross is pressed.
 */
import { LabElement } from '../../ui/element.js';
import { actionButton, h } from '../../ui/dom.js';
import { ICONS, icon } from '../../ui/icons.js';
import { BESIDE, PAGES, guideOf } from '../guide.js';

export class ErrorBanner extends LabElement {
  #error = /** @type {{message: string, hint?: string, code?: string}|null} */ (null);

  render() {
    this.role = 'alert';
    this.dataset.role = 'error';
    this.hidden = true;
  }

  /** @param {{message: string, hint?: string, code?: string}|null} error `code`: one that the guide has a page on */
  set error(error) {
    if (error === this.#error) return; // at every key
    this.#error = error;
    this.hidden = !error;
    if (!error) {
      this.replaceChildren();
      return;
    }
    this.replaceChildren(
      icon(ICONS.warning),
      h(
        'div',
        { class: 'words' },
        h('div', { class: 'message' }, error.message),
        error.hint ? h('div', { class: 'hint' }, error.hint) : null,
        error.code && PAGES[error.code] ? h('a', { href: guideOf(error.code), ...BESIDE }, 'In the guide') : null,
      ),
      actionButton(icon(ICONS.cross), () => this.emit('dismiss'), {
        class: 'button',
        'aria-label': 'Dismiss this message',
      }),
    );
  }
}

customElements.define('error-banner', ErrorBanner);
