/**
 * Puts a tokenizer together: whose model, which stages around it, tried on a text as it is built. Gets `start` with
 * what there is and `result`/`problem` for the text; reports `try` (`{recipe, text}`) and `save` (`{recipe, id}`).
 */
import { LabElement } from '../../ui/element.js';
import { actionButton, h, listen, setText } from '../../ui/dom.js';
import { plural, problemWords } from '../../util/format.js';
import { BlockList } from './block_list.js';
import { ToggleSwitch } from '../../ui/toggle_switch.js';
import { tokenFaces } from '../../ui/tokens/token_spans_text.js';

const SAMPLE = 'İstanbul’da  42 ＡＢＣ, naïve Straße';
const WAIT_MS = 150;
const MOST_TOKENS = 200;

export class ComposeForm extends LabElement {
  #base = h('select', { id: 'compose-base' });
  #normalizers = new BlockList();
  #pretokenizers = new BlockList();
  #template = new ToggleSwitch();
  #special = h('input', { type: 'text', id: 'compose-special', spellcheck: false, placeholder: '<|user|> <|lab|>' });
  #text = h('input', { type: 'text', id: 'compose-text', value: SAMPLE });
  #id = h('input', { type: 'text', id: 'compose-id', spellcheck: false, placeholder: 'my-tokenizer' });
  #save = actionButton('Save tokenizer', () => this.emit('save', { recipe: this.recipe, id: this.#id.value.trim() }), {
    class: 'button primary',
  });
  #count = h('b', { class: 'number', 'data-role': 'compose-count' });
  #tokens = h('p', { class: 'compose-tokens mono' });
  #problem = h('p', { class: 'warning', role: 'alert', 'data-role': 'compose-problem' });
  #timer = 0;

  render() {
    this.#normalizers.label = 'normalizers';
    this.#pretokenizers.label = 'pretokenizers';
    this.#template.label = 'Keep the special tokens that the base tokenizer adds';
    this.#template.checked = true;
    /** @param {string} id @param {string} label @param {HTMLElement} control */
    const field = (id, label, control) => h('div', { class: 'compose-field' }, h('label', { for: id }, label), control);
    this.append(
      h(
        'div',
        { class: 'compose-parts' },
        h(
          'div',
          {},
          field('compose-base', 'Base model', this.#base),
          field('compose-special', 'Special tokens (space-separated)', this.#special),
          this.#template,
        ),
        this.#normalizers,
        this.#pretokenizers,
      ),
      h(
        'div',
        { class: 'compose-trial' },
        field('compose-text', 'Sample text', this.#text),
        h('div', {}, this.#count, this.#tokens, this.#problem),
      ),
      h('div', { class: 'compose-end' }, field('compose-id', 'ID', this.#id), this.#save),
    );
    for (const type of ['input', 'change'])
      this.addEventListener(type, event => {
        if (event.target !== this.#id) this.#later();
      });
    for (const blocks of [this.#normalizers, this.#pretokenizers]) listen(blocks, 'blockschange', () => this.#later());
    listen(this.#template, 'valuechange', () => this.#later());
  }

  /** @param {{id: string, name: string}[]} bases @param {{normalizers: string[], pretokenizers: string[]}} blocks */
  start(bases, blocks) {
    const chosen = this.#base.value;
    this.#base.replaceChildren(...bases.map(({ id, name }) => h('option', { value: id }, name)));
    if (bases.some(({ id }) => id === chosen)) this.#base.value = chosen;
    this.#normalizers.names = blocks.normalizers;
    this.#pretokenizers.names = blocks.pretokenizers;
    this.#later();
  }

  /** @returns {import('../../api/compose.js').Recipe} as docs/guide/library.md has it */
  get recipe() {
    const { value: normalizers } = this.#normalizers;
    const { value: pretokenizers } = this.#pretokenizers;
    const specials = [...new Set(this.#special.value.split(/\s+/).filter(Boolean))];
    return {
      base: this.#base.value,
      keep_template: this.#template.checked,
      special_tokens: specials,
      ...(normalizers && { normalizers }),
      ...(pretokenizers && { pretokenizers }),
    };
  }

  /** @param {import('../../api/schema.d.ts').EncodingResult & {text: string}} result with the text it is of */
  set result(result) {
    setText(this.#problem, '');
    setText(this.#count, plural(result.count, 'token'));
    this.#tokens.replaceChildren(
      tokenFaces(result.tokens.slice(0, MOST_TOKENS), result.text, { own: true }),
      result.tokens.length > MOST_TOKENS ? '…' : '',
    );
  }

  /** @param {{message: string, hint?: string|null}} error */
  set problem(error) {
    setText(this.#problem, problemWords(error));
    this.#count.textContent = '';
    this.#tokens.replaceChildren();
  }

  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#base.value) this.emit('try', { recipe: this.recipe, text: this.#text.value });
    }, WAIT_MS);
  }
}

customElements.define('compose-form', ComposeForm);
