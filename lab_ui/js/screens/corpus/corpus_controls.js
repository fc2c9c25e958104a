/**
 * In the bar: which corpus, and the button that analyses it. Gets `corpora`, `corpus` and `state`; reports
 * `choosecorpus` (detail: id), `addcorpus`, `analyze` and `cancelanalysis`.
 */
import { keyWords } from '../../app/commands/command.js';
import { actionButton, h, setText } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { MenuButton } from '../../ui/menu_button.js';
import { corpusFacts, corpusName } from './corpus_words.js';

/** @typedef {import('../../api/schema.d.ts').CorpusEntry} Corpus */

export class CorpusControls extends LabElement {
  #menu = new MenuButton();
  #run = actionButton('Analyze', () => this.emit(this.#isRunning ? 'cancelanalysis' : 'analyze'), {
    class: 'button primary',
    'data-role': 'analyze',
  });
  #isRunning = false;

  render() {
    this.#menu.hook = 'corpus';
    this.append(h('span', { class: 'dim wide' }, 'Corpus'), this.#menu, this.#run);
  }

  /**
   * @param {{corpora: Corpus[], corpus: Corpus|null, gone: string, isRunning: boolean, canRun: boolean}} state `gone`:
   *   title of a corpus that is shown and not in the list
   */
  show({ corpora, corpus, gone, isRunning, canRun }) {
    this.#isRunning = isRunning;
    setText(this.#run, isRunning ? 'Cancel' : 'Analyze');
    this.#run.classList.toggle('primary', !isRunning);
    this.#run.classList.toggle('framed', isRunning);
    this.#run.disabled = !isRunning && !canRun;
    this.#run.title = isRunning
      ? 'Cancel the analysis; nothing of it is kept'
      : `Analyze the corpus with the tokenizers in use (${keyWords('Mod+Enter')})`;
    this.#menu.label = corpus ? corpusName(corpus) : gone || 'Choose a corpus';
    this.#menu.hint = corpus ? corpusFacts(corpus) : gone && 'Not in the list of corpora; its analysis is kept';
    const held = this.#menu.open;
    if (held) return; // what is pointed at stays where it is
    this.#menu.panel.replaceChildren();
    this.#menu.group('Corpora', ...corpora.map(one => this.#item(one, one.id === corpus?.id)));
    this.#menu.group(
      'Your own text',
      this.#menu.item('Add files or a folder…', () => this.emit('addcorpus'), { hook: 'add-corpus' }),
    );
  }

  focusMenu() {
    /** @type {HTMLElement|null} */ (this.#menu.querySelector('button'))?.focus();
  }

  /** @param {Corpus} corpus @param {boolean} isChosen */
  #item(corpus, isChosen) {
    const item = this.#menu.item(corpus.title, () => this.emit('choosecorpus', corpus.id));
    item.replaceChildren(
      h(
        'span',
        { class: 'corpus-item' },
        h('bdi', {}, corpus.title),
        h('span', { class: 'faint' }, corpusFacts(corpus)),
      ),
    );
    item.ariaPressed = String(isChosen);
    item.dataset.corpus = corpus.id;
    return item;
  }
}

customElements.define('corpus-controls', CorpusControls);
