/** The stages a text passes, with what came out of each. Gets `show`; for reading only. */
import { count } from '../lib/format.js';
import { h } from '../lib/dom.js';

export class PipelineStrip extends HTMLElement {
  connectedCallback() { this.role = 'list'; this.ariaLabel = 'Stages of this tokenizer'; }

  /**
   * @param {{normalizer: string, pretokenizer: string, model: string, postprocessor: string, decoder: string}} stages
   * @param {Object|null} result RESULT of the text, null before the first answer
   * @param {string|null} lossy why decoding need not give the text back
   */
  show(stages, result, lossy) {
    const added = result?.template_count ?? 0, exact = result?.round_trip, known = result && exact !== null;
    const boxes = [
      box('Normalizer', '', stages.normalizer),
      box('Pretokenizer', result ? count(result.pretoken_count) : '', stages.pretokenizer),
      box('Model', result ? count(result.count - added) : '', stages.model, true),
      box('Postprocessor', added ? `+${count(added)}` : '', added || stages.postprocessor === 'none' ? stages.postprocessor : 'adds nothing'),
      box('Decoder', '', !known ? stages.decoder : exact ? 'gives the text back exactly' : `changes the text${lossy ? `: ${lossy}` : ''}`, false, known ? (exact ? 'good' : 'changed') : ''),
    ];
    this.replaceChildren(...boxes);
  }
}

function box(name, number, words, central = false, outcome = '') {
  const idle = words === 'none' || words === 'adds nothing';
  return h('div', { class: `stage${idle ? ' idle' : ''}${central ? ' central' : ''}`, role: 'listitem', 'data-stage': name.toLowerCase() },
    h('span', { class: 'stage-name' }, name, number ? h('b', { class: 'number' }, number) : null, outcome ? h('b', { class: outcome, 'aria-hidden': 'true' }, outcome === 'good' ? '✓' : '≠') : null),
    h('small', { title: words }, words));
}

customElements.define('pipeline-strip', PipelineStrip);
