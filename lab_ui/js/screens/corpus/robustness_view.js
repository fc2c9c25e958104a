/**
 * How far one small edit of a sentence changes its tokens. Measured on request, as a job. Gets `show`; reports
 * `measure`.
 */
import { actionButton, h } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { tokenizerBadge } from '../../ui/tokens/tokenizer_badge.js';
import { percent, plural, ratio } from '../../util/format.js';
import { numbers, table } from '../../ui/table.js';

/** Names of the kinds of edit. @type {Object<string, string|undefined>} */
const KINDS = {
  swap: 'Two letters swapped',
  delete: 'A letter deleted',
  insert: 'A letter inserted',
  substitute: 'A letter replaced',
  case: 'Case of a letter changed',
  double_space: 'A space doubled',
  missing_space: 'A space removed',
  nfd: 'Decomposed (NFD)',
  nfc: 'Composed (NFC)',
};

/**
 * @typedef {import('../../api/schema.d.ts').Robustness} Robustness
 * @typedef {import('../../api/schema.d.ts').KindRobustness} KindRobustness
 */

/** Tables with what is in a cell. @type {{title: string, unit: string, write: (kind: KindRobustness) => string}[]} */
const TABLES = [
  {
    title: 'Boundaries moved outside of the edited word',
    unit: 'per edit; 0 is best: an edit changes its own word alone',
    write: kind => ratio(kind.moved_outside),
  },
  {
    title: 'How far a change reaches',
    unit: 'mean bytes of UTF-8 between the edit and the farthest moved boundary',
    write: kind => ratio(kind.reach_bytes?.mean, 1),
  },
  {
    title: 'Tokens after the edits',
    unit: 'divided by the tokens before, over all sentences',
    write: kind => ratio(kind.relative_tokens, 3),
  },
];

export class RobustnessView extends LabElement {
  /**
   * @param {{robustness: Robustness|null, tokenizers: string[], isBusy: boolean, nameOf: (id: string) => string,
   *   letterOf: (id: string) => string}} shown `tokenizers` names those that would be measured; none without a corpus
   */
  show({ robustness, tokenizers, isBusy, nameOf, letterOf }) {
    const words = robustness ? 'Measure again' : 'Measure';
    const start = actionButton(words, () => this.emit('measure'));
    start.disabled = isBusy || !tokenizers.length;
    this.replaceChildren(
      h(
        'div',
        { class: 'frequency-tools' },
        start,
        h(
          'span',
          { class: 'dim', role: 'status' },
          isBusy
            ? 'Editing sentences of the corpus…'
            : robustness
              ? `One edit of each kind in ${plural(robustness.sentences, 'sentence')} of the corpus. ` +
                'Kept until the lab ends.'
              : tokenizers.length
                ? 'Makes typos in 500 sentences of the corpus, one at a time, and counts how many tokens of ' +
                  `${tokenizers.join(' and ')} each one changes.`
                : 'The corpus is not in the list any more, so nothing can be measured.',
        ),
      ),
      ...(robustness ? [this.#tables(robustness, id => [tokenizerBadge(letterOf(id)), nameOf(id)])] : []),
    );
  }

  /** @param {Robustness} robustness @param {(id: string) => [Node, string]} headOf badge and name */
  #tables({ tokenizers }, headOf) {
    const kinds = tokenizers[0].kinds.map(({ kind }) => kind);
    const levels = tokenizers[0].noise.map(({ level }) => level);
    const names = tokenizers.map(({ tokenizer }) => tokenizer);
    const tables = TABLES.map(({ title, unit, write }) =>
      measuredTable(
        title,
        unit,
        names.map(headOf),
        kinds.map((kind, n) => [KINDS[kind] ?? kind, tokenizers.map(one => write(one.kinds[n]))]),
      ),
    );
    const noise = measuredTable(
      'Tokens under noise',
      'divided by the tokens without typos; rows are the share of letters with a typo',
      names.map(headOf),
      levels.map((level, n) => [percent(level), tokenizers.map(one => ratio(one.noise[n].relative_tokens, 3))]),
    );
    return h('div', { class: 'view-table', tabIndex: 0, role: 'region', ariaLabel: 'Robustness' }, ...tables, noise);
  }
}

/** @param {string} title @param {string} unit @param {[Node, string][]} names @param {[string, string[]][]} rows */
const measuredTable = (title, unit, names, rows) =>
  table({
    caption: [h('b', {}, title), ` ${unit}`],
    columns: ['', ...names.map(([badge, name]) => numbers([badge, ' ', h('bdi', {}, name)]))],
    rows: rows.map(([label, values]) => [label, ...values]),
  });

customElements.define('robustness-view', RobustnessView);
