/**
 * What to do first, where nothing was counted yet: the corpus that is chosen, and a button that analyses it. Gets
 * `show` and `progress`; reports `analyze` and `addcorpus`.
 */
import { h, setText } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { corpusFacts } from './corpus_words.js';

export class CorpusInvitation extends LabElement {
  #bar = h('progress', { 'aria-label': 'Progress of the analysis' });
  #words = h('span', { class: 'dim number' });
  #running = h('div', { class: 'corpus-running', hidden: true }, this.#bar, this.#words);
  #drawn = '';

  /**
   * @param {{corpus: import('../../api/corpora.js').Corpus|null, tokenizers: string[], isBusy: boolean}} shown
   *   `tokenizers`: names of those in use
   */
  show({ corpus, tokenizers, isBusy }) {
    const version = JSON.stringify([corpus?.id, corpus?.documents, tokenizers, isBusy]);
    if (this.#drawn === version) return;
    this.#drawn = version;
    const start = button('Analyze', 'primary', () => this.emit('analyze'));
    start.disabled = !corpus || isBusy || !tokenizers.length;
    const last = tokenizers.length - 1;
    const names = [tokenizers.slice(0, last).join(', '), ...tokenizers.slice(last)].filter(Boolean).join(' and ');
    const what = `Count the tokens of ${names} in every document.`;
    this.replaceChildren(
      h(
        'div',
        {},
        h('h2', {}, corpus ? h('bdi', {}, corpus.title) : 'No corpus is here'),
        h('p', { class: 'dim' }, corpus ? corpusFacts(corpus) : 'Add files or a folder of text.'),
        corpus ? h('p', {}, isBusy ? 'The analysis is under way.' : what) : null,
        h(
          'div',
          { class: 'add-corpus-row' },
          start,
          button('Add a corpus of your own…', 'framed', () => this.emit('addcorpus')),
        ),
        this.#running,
        h('p', { class: 'faint' }, 'Or drop files anywhere in the window.'),
      ),
    );
  }

  /** @param {Object|null} job the analysis under way */
  set progress(job) {
    this.#running.hidden = !job;
    if (!job) return;
    const { done, total, state, isLost, message } = job;
    if (total) Object.assign(this.#bar, { max: total, value: done });
    else this.#bar.removeAttribute('value');
    const waiting = state === 'waiting' ? 'Waiting for other work' : message;
    setText(this.#words, isLost ? 'Connection lost, trying again' : waiting);
  }
}

/** @param {string} label @param {string} className @param {() => void} onclick */
const button = (label, className, onclick) =>
  h('button', { type: 'button', class: `button ${className}`, onclick }, label);

customElements.define('corpus-invitation', CorpusInvitation);
