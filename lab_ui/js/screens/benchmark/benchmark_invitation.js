/** What to do first, where nothing was measured yet. Gets `show`; reports `startrun`. */
import { h } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';

export class BenchmarkInvitation extends LabElement {
  #drawn = '';

  /** @param {{what: string, text: string, problem: string, isBusy: boolean}} shown names of what a run would measure */
  show({ what, text, problem, isBusy }) {
    const version = JSON.stringify([what, text, problem, isBusy]);
    if (version === this.#drawn) return;
    this.#drawn = version;
    this.replaceChildren(
      h(
        'div',
        {},
        h('h2', {}, 'Which tokenizer is fast on your text?'),
        h(
          'p',
          {},
          'Every engine encodes the same text in turn, round by round. The figure to read is the ratio within one run.',
        ),
        h('p', { class: 'dim' }, problem || `${what}, on ${text}.`),
        h(
          'button',
          {
            type: 'button',
            class: 'button primary',
            disabled: isBusy || problem !== '',
            onclick: () => this.emit('startrun'),
          },
          isBusy ? 'The run is under way' : 'Run the benchmark',
        ),
        h(
          'ul',
          { class: 'invitation-facts' },
          h('li', {}, 'IDs are compared with the reference first. An engine with other IDs cannot win.'),
          h('li', {}, 'Each engine runs in a process of its own: one that crashes loses its row only.'),
          h('li', {}, 'The noise of this machine is measured before the run.'),
        ),
      ),
    );
  }
}

customElements.define('benchmark-invitation', BenchmarkInvitation);
