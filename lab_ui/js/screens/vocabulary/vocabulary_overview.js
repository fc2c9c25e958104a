/**
 * The whole of what was found: how long the tokens are, which of them no text gives and why. Gets `showPage` and
 * `showAudit`; reports `length` (as the histogram does) and `verdict` (detail: its name).
 */
import { LabElement } from '../../ui/element.js';
import { actionButton, h, listen } from '../../ui/dom.js';
import { count, duration, percent } from '../../util/format.js';
import { LengthHistogram } from './length_histogram.js';

const HEAD = 'Reachable tokens';
const VERDICTS = [
  ['reachable', 'produced by some text'],
  ['unreachable', 'proven unreachable'],
  ['undecided', 'undetermined'],
];

export class VocabularyOverview extends LabElement {
  #histogram = new LengthHistogram();
  #audit = h('section', { class: 'panel-part', 'data-role': 'audit' });

  render() {
    listen(this.#histogram, 'length', length => this.emit('length', length));
    this.append(h('section', { class: 'panel-part' }, this.#histogram), this.#audit);
  }

  /** @param {{lengths: number[]}} page of a search @param {number|null} length that is chosen */
  showPage(page, length) {
    this.#histogram.show(page.lengths, length);
  }

  /** @param {string} reason why it is not known which tokens a text can give */
  showAuditProblem(reason) {
    this.#audit.replaceChildren(h('h3', {}, HEAD), h('p', { class: 'warning' }, reason));
  }

  /** @param {import('../../api/schema.d.ts').Audit|null} audit null while it runs @param {string[]} chosen verdicts */
  showAudit(audit, chosen) {
    const head = h('h3', {}, HEAD);
    if (!audit) {
      this.#audit.replaceChildren(head, h('p', { class: 'dim' }, 'Encoding every token’s own text…'));
      return;
    }
    this.#audit.replaceChildren(
      head,
      h('p', { class: 'chart-caption' }, `all ${count(audit.count)} tokens, judged in ${duration(audit.elapsed_ns)}`),
      ...VERDICTS.map(([verdict, label]) =>
        actionButton(
          [
            h('b', { class: `number verdict ${verdict}` }, count(audit.verdicts[verdict])),
            h('span', {}, verdict),
            h('span', { class: 'faint number' }, share(audit.verdicts[verdict], audit.count)),
          ],
          () => this.emit('verdict', verdict),
          {
            class: 'verdict-row',
            'data-verdict': verdict,
            'aria-pressed': String(chosen.includes(verdict)),
            title: label,
          },
        ),
      ),
      h(
        'ul',
        { class: 'reasons' },
        ...audit.reasons.map(({ verdict, explanation, count: n }) =>
          h(
            'li',
            {},
            h('span', { class: `verdict number ${verdict}` }, count(n)),
            h('span', { class: 'dim' }, explanation),
          ),
        ),
      ),
    );
  }
}

/** Never "100 %" or "0 %" of what is not all or none. @param {number} n @param {number} all */
function share(n, all) {
  if (!n || n === all) return percent(n / all);
  const shown = percent(n / all, 1);
  return /^(100|0)\.0/.test(shown) ? percent(n / all, 3) : shown;
}

customElements.define('vocabulary-overview', VocabularyOverview);
