/** What to do first, where nothing was trained yet. Gets `show`; reports `practice`, the one obvious way to begin. */
import { h } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';

export class TrainInvitation extends LabElement {
  #drawn = '';

  /** @param {{words: string, problem: string, isBusy: boolean}} shown what would be trained, or why nothing can be */
  show({ words, problem, isBusy }) {
    const version = JSON.stringify([words, problem, isBusy]);
    if (version === this.#drawn) return;
    this.#drawn = version;
    this.replaceChildren(
      h(
        'div',
        {},
        h('h2', {}, 'Watch a tokenizer learn its vocabulary'),
        h(
          'p',
          {},
          'Every merge with its count, and how well the vocabulary so far compresses text that it has not seen.',
        ),
        h('p', { class: 'dim', 'data-role': 'practice-words' }, problem || words),
        h(
          'button',
          {
            type: 'button',
            class: 'button primary',
            'data-role': 'train-practice',
            disabled: isBusy || problem !== '',
            onclick: () => this.emit('practice'),
          },
          isBusy ? 'Starting…' : 'Train on the practice corpus',
        ),
        h(
          'ul',
          { class: 'train-invitation-facts' },
          h('li', {}, 'Your own files, a corpus, another algorithm or size: choose them in Setup.'),
          h('li', {}, 'Pause at any time, and open what was learned so far in Inspect.'),
          h('li', {}, 'A training that was interrupted goes on from its last checkpoint.'),
        ),
      ),
    );
  }
}

customElements.define('train-invitation', TrainInvitation);
