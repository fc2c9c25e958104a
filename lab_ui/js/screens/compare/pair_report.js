/**
 * What two tokenizers have in common and what sets them apart. Gets `choices` (the tokenizers in use), and
 * `showTransfer` or `showVocabulary` with the answers; reports `pair` with the two ids when others are chosen. Asks for
 * nothing itself.
 */
import { LabElement } from '../../ui/element.js';
import { actionButton, h } from '../../ui/dom.js';
import { count, percent, plural, ratio } from '../../util/format.js';
import { tokenizerBadge } from '../../ui/tokens/tokenizer_badge.js';
import { numbers, table } from '../../ui/table.js';

const MOST = 12;

/**
 * @typedef {import('../../api/schema.d.ts').VocabularyOverlap} Overlap
 * @typedef {import('../../api/schema.d.ts').Retokenization} Transfer
 * @typedef {import('../../api/schema.d.ts').TokenizerDiff} TokenizerDiff
 * @typedef {{name: string, letter: string}} Named
 * @typedef {import('../../ui/facts.js').Fact} Fact
 */

export class PairReport extends LabElement {
  #selects = [0, 1].map(n =>
    h('select', {
      ariaLabel: n ? 'Target tokenizer' : 'Source tokenizer',
      'data-role': n ? 'pair-b' : 'pair-a',
      onchange: () => this.emit('pair', this.pair),
    }),
  );
  #body = h('div', { class: 'pair-body', tabIndex: 0, role: 'region', 'aria-label': 'Two tokenizers' });

  render() {
    this.append(
      h(
        'div',
        { class: 'pair-head' },
        this.#selects[0],
        actionButton(
          '⇄',
          () => {
            this.pair = [this.pair[1], this.pair[0]];
            this.emit('pair', this.pair);
          },
          {
            class: 'button',
            'aria-label': 'Swap source and target',
            title: 'Swap source and target',
            'data-role': 'pair-swap',
          },
        ),
        this.#selects[1],
      ),
      this.#body,
    );
  }

  /** @param {{id: string, name: string}[]} tokenizers two or more */
  set choices(tokenizers) {
    const before = this.pair;
    this.#selects.forEach((select, n) => {
      select.replaceChildren(...tokenizers.map(({ id, name }) => h('option', { value: id }, name)));
      const kept = tokenizers.some(({ id }) => id === before[n]);
      select.value = kept ? before[n] : (tokenizers[Math.min(n, tokenizers.length - 1)]?.id ?? '');
    });
    const other = tokenizers.find(({ id }) => id !== this.pair[0]);
    if (this.pair[0] === this.pair[1] && other) this.#selects[1].value = other.id;
  }

  /** @returns {[string, string]} */
  get pair() {
    return [this.#selects[0].value, this.#selects[1].value];
  }

  /** Nothing is known yet. @param {string} text */
  wait(text) {
    this.#body.replaceChildren(h('p', { class: 'dim' }, text));
  }

  /** @param {string[]} pair ids of two that can be chosen */
  set pair(pair) {
    this.#selects.forEach((select, n) => {
      select.value = pair[n];
    });
  }

  /**
   * Ids of one as ids of the other.
   * @param {{report: Overlap, transfer: Transfer, nameOf: (id: string) => string}} answers
   */
  showTransfer({ report, transfer, nameOf }) {
    const a = nameOf(report.a);
    const b = nameOf(report.b);
    const { rows } = report;
    this.#body.replaceChildren(
      section(
        'This text',
        `IDs of ${a} as IDs of ${b}`,
        [
          ['tokens', `${count(transfer.source_ids.length)} → ${count(transfer.target_ids.length)}`],
          ['lost', transfer.lossless ? 'nothing' : plural(transfer.losses.length, 'place')],
        ],
        transferWords(report, transfer, a, b),
        lines(transfer.losses.map(loss => loss.message)),
      ),
      section(
        `A table of embeddings for ${b}`,
        `from that of ${a}`,
        [
          ['copied', count(rows.copied)],
          [
            'averaged from parts',
            rows.averaged ? `${count(rows.averaged)}, of ${ratio(rows.mean_parts)} on average` : '0',
          ],
          ['newly initialized', count(rows.new)],
        ],
        'A row is copied if both have the token; otherwise it is averaged from the rows of its parts.',
      ),
    );
  }

  /**
   * What two vocabularies have in common and how the files differ.
   * @param {{report: Overlap, difference: TokenizerDiff, nameOf: (id: string) => string, letterOf: (id: string) =>
   *   string}} answers
   */
  showVocabulary({ report, difference, nameOf, letterOf }) {
    const a = nameOf(report.a);
    const b = nameOf(report.b);
    const { merges, vocabulary } = difference;
    this.#body.replaceChildren(
      section(
        'Vocabularies',
        '',
        [
          ['same ID in both', count(report.same_ids)],
          ['Jaccard index', percent(report.jaccard, 1)],
        ],
        'Two tokens are the same if they have the same bytes and both or neither start a word. ' +
          'The ID and the Jaccard index leave special tokens out.',
        null,
        overlapTable(report, { name: a, letter: letterOf(report.a) }, { name: b, letter: letterOf(report.b) }),
      ),
      section(
        'On this text',
        'added special tokens left out',
        report.counts === null
          ? []
          : [
              ['tokens', `${a} ${count(report.counts[0])}, ${b} ${count(report.counts[1])}`],
              ['boundaries', `${percent(report.agreement)} agree`],
              ['divergences', count(report.divergences)],
            ],
      ),
      section(
        'As files',
        difference.same
          ? 'no difference: they are the same tokenizer'
          : 'entries as the files spell them: Ġworld, ▁world and world differ here',
        difference.same
          ? []
          : [
              ['spelled in one file', `${a} ${count(vocabulary.removed_count)}, ${b} ${count(vocabulary.added_count)}`],
              [
                'spelled in both',
                `${count(vocabulary.kept + vocabulary.changed_count)}, ` +
                  `${count(vocabulary.changed_count)} with different IDs`,
              ],
              ['merges', merges && mergeWords(merges)],
              ['stages', difference.stages.map(({ stage }) => stage.replace('_', '')).join(', ') || 'the same'],
            ],
        '',
        difference.same ? null : lines([...sample(vocabulary.removed, a), ...sample(vocabulary.added, b)]),
      ),
    );
  }
}

/**
 * Why the counts are not those of the cards, if they are not.
 * @param {Overlap} report @param {Transfer} transfer @param {string} a @param {string} b names
 */
function transferWords({ counts }, { source_ids: source, target_ids: target }, a, b) {
  const left = 'Added special tokens are left out.';
  if (!counts || (counts[0] === source.length && counts[1] === target.length)) return left;
  return (
    `${left} ${b} has ${plural(counts[1], 'token')} for the text as it is, and ${count(target.length)} for what the ` +
    `IDs of ${a} decode to.`
  );
}

const PARTS = /** @type {const} */ ([
  ['ordinary', 'tokens'],
  ['special', 'special tokens'],
  ['all', 'all'],
]);

/**
 * Tokens only in one and in both, as a bar and as a table whose rows and columns add up.
 * @param {Overlap} report @param {Named} a @param {Named} b
 */
function overlapTable({ vocabularies }, a, b) {
  const { only_a: onlyA, both, only_b: onlyB } = vocabularies.all;
  const bar = [
    [onlyA, a.letter],
    [both, ''],
    [onlyB, b.letter],
  ].map(([tokens, letter]) => h('i', { 'data-letter': letter, style: `flex-grow: ${tokens}` }));
  /** @param {Named} tokenizer */
  const of = ({ name, letter }) => [tokenizerBadge(letter, 'small'), h('span', { class: 'visually-hidden' }, name)];
  return h(
    'div',
    {},
    h('div', { class: 'overlap-bar', 'aria-hidden': 'true' }, ...bar),
    table({
      properties: { class: 'overlap', 'data-role': 'overlap' },
      columns: ['', numbers(['only ', ...of(a)]), numbers('both'), numbers(['only ', ...of(b)])],
      rows: PARTS.map(([part, label]) => [label, ...Object.values(vocabularies[part]).map(count)]),
    }),
    h(
      'p',
      { class: 'faint number' },
      `${a.name}: ${count(onlyA + both)} tokens. ${b.name}: ${count(both + onlyB)} tokens.`,
    ),
  );
}

/** @param {import('../../api/schema.d.ts').MergeChanges} merges */
function mergeWords({ first_difference: first }) {
  if (first === null) return 'the same';
  return first ? `the same up to merge ${count(first)}` : 'different from the first merge';
}

/** @param {string[]} tokens @param {string} name of the tokenizer */
const sample = (tokens, name) => (tokens.length ? [`only in ${name}: ${tokens.slice(0, MOST).join('  ')}`] : []);

/** @param {string[]} list */
const lines = list =>
  list.length
    ? h(
        'ul',
        { class: 'pair-lines' },
        ...list.slice(0, MOST).map(line => h('li', {}, h('bdi', {}, line))),
        list.length > MOST ? h('li', { class: 'dim' }, `and ${count(list.length - MOST)} more`) : null,
      )
    : null;

/**
 * @param {string} title @param {string} text @param {Fact[]} facts @param {string} [note] @param {Node|null} [more]
 * @param {Node|null} [first]
 */
function section(title, text, facts, note = '', more = null, first = null) {
  return h(
    'section',
    {},
    h('h2', {}, title),
    text ? h('p', { class: 'dim' }, text) : null,
    first,
    h(
      'dl',
      {},
      ...facts
        .filter(([, value]) => value !== null)
        .flatMap(([name, value]) => [h('dt', {}, name), h('dd', { class: 'number' }, value)]),
    ),
    note ? h('p', { class: 'faint' }, note) : null,
    more,
  );
}

customElements.define('pair-report', PairReport);
