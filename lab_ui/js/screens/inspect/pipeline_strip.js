/**
 * The stages a text passes, with what came out of each. Gets `show` and `open`; reports `stage` (detail: its name, or
 * null) when one is to be looked into, or closed again. Its elements stay, so that the focus does.
 */
import { LabElement } from '../../ui/element.js';
import { addedCount, ownCount } from '../../text/figures.js';
import { count } from '../../util/format.js';
import { h, setText } from '../../ui/dom.js';

const STAGES = ['Normalizer', 'Pretokenizer', 'Model', 'Postprocessor', 'Decoder'];

export class PipelineStrip extends LabElement {
  /** @type {Map<string, {box: HTMLElement, number: HTMLElement, mark: HTMLElement, text: HTMLElement}>} */
  #boxes = new Map();
  /** @type {string|null} */
  #open = null;

  render() {
    this.role = 'list';
    this.ariaLabel = 'Stages of this tokenizer';
    for (const name of STAGES) {
      const stage = name.toLowerCase();
      const parts = { number: h('b', { class: 'number' }), mark: h('b', { 'aria-hidden': 'true' }), text: h('small') };
      const inner = [h('span', { class: 'stage-name' }, name, parts.number, parts.mark), parts.text];
      const ask = () => this.emit('stage', this.#open === stage ? null : stage);
      const box = h(
        'button',
        { type: 'button', 'data-stage': stage, 'aria-expanded': 'false', 'aria-controls': 'stage-view', onclick: ask },
        ...inner,
      );
      this.#boxes.set(stage, { box, ...parts });
      this.append(h('div', { class: 'stage-item', role: 'listitem' }, box));
    }
  }

  /** @param {string|null} stage that is looked into */
  set open(stage) {
    this.#open = stage;
    for (const [name, { box }] of this.#boxes) box.ariaExpanded = String(name === stage);
  }

  /** @param {string} stage */
  focusStage(stage) {
    this.#boxes.get(stage)?.box.focus();
  }

  /**
   * @param {import('../../api/schema.d.ts').Stages} stages
   * @param {import('../../text/figures.js').Result|null} result of the text, null before the first answer
   * @param {string|null} lossy why decoding need not give the text back
   */
  show(stages, result, lossy) {
    const added = result ? addedCount(result) : 0;
    const exact = result?.round_trip;
    const known = result && exact !== null;
    this.#fill('normalizer', '', stages.normalizer);
    this.#fill('pretokenizer', result ? count(result.pretoken_count) : '', stages.pretokenizer);
    this.#fill('model', result ? count(ownCount(result)) : '', stages.model);
    this.#fill(
      'postprocessor',
      added ? `+${count(added)}` : '',
      added || stages.postprocessor === 'none' ? stages.postprocessor : 'adds no tokens',
    );
    this.#fill(
      'decoder',
      '',
      !known ? stages.decoder : exact ? 'lossless' : `changes the text${lossy ? `: ${lossy}` : ''}`,
      known ? (exact ? 'good' : 'changed') : '',
    );
  }

  /** @param {string} stage @param {string} figure @param {string} text @param {'good'|'changed'|''} [outcome] */
  #fill(stage, figure, text, outcome = '') {
    const parts = this.#boxes.get(stage);
    if (!parts) return;
    const { box, number, mark, text: element } = parts;
    const idle = text === 'none' || text === 'adds no tokens';
    box.className = `stage${idle ? ' idle' : ''}${stage === 'model' ? ' central' : ''}`;
    setText(number, figure);
    setText(mark, outcome ? (outcome === 'good' ? '✓' : '≠') : '');
    mark.className = outcome;
    setText(element, text);
    element.title = text;
  }
}

customElements.define('pipeline-strip', PipelineStrip);
