/** The facts of one tokenizer, as a list of names and values. */
import { h, linkify } from '../../ui/dom.js';
import { count, plural, problemWords, size } from '../../util/format.js';
import { isAway } from '../../app/tokenizers/tokenizer_groups.js';
import { facts } from '../../ui/facts.js';
/** @import {CatalogEntry, SpecialToken, Stages} from '../../api/schema.d.ts' */
/** @import {Fact} from '../../ui/facts.js' */

const STAGES = /** @type {const} */ (['normalizer', 'pretokenizer', 'model', 'postprocessor', 'decoder']);
const MOST_SPECIALS = 12;

/**
 * @param {CatalogEntry} entry
 * @returns {HTMLElement} what is wrong with it or how to get it, and its facts
 */
export function tokenizerFacts(entry) {
  return h(
    'div',
    { class: 'tokenizer-facts' },
    entry.problem ? h('p', { class: 'warning' }, problemWords(entry.problem)) : null,
    entry.needs ? h('p', { class: entry.gated ? 'needs gated' : 'needs dim' }, linkify(entry.needs)) : null,
    facts(factsOf(entry)),
  );
}

/** @param {CatalogEntry} entry @returns {Fact[]} */
function factsOf(entry) {
  /** @param {string} text @param {string} [title] */
  const mono = (text, title = '') => h('span', { class: 'mono', title }, text);
  /** @type {(Fact|null|false|''|0)[]} */
  const found = [
    ['id', mono(entry.id)],
    ['source', [isAway(entry) ? 'available to download' : entry.source, entry.origin].filter(Boolean).join(': ')],
    entry.revision && ['revision', mono(entry.revision.slice(0, 12), entry.revision)],
    entry.sha256 && ['sha256', mono(entry.sha256)],
    entry.checked !== null && ['checked', checkedWords(entry.checked)],
    isAway(entry) && entry.size_bytes && ['size', size(entry.size_bytes)],
    entry.vocab_size && ['vocabulary', vocabularyWords(entry.vocab_size, entry.merge_count)],
    entry.stages && ['special tokens', specials(entry.special_tokens)],
    entry.stages && ['stages', stageWords(entry.stages)],
    entry.lossy && ['decoding', `may change the text: ${entry.lossy}`],
    entry.note && ['note', entry.note],
    entry.ignored_fields.length > 0 && [
      'ignored fields',
      mono(entry.ignored_fields.map(({ place, value }) => `${place} = ${value}`).join(', ')),
    ],
  ];
  return found.flatMap(fact => (fact ? [fact] : []));
}

/** @param {boolean} isChecked */
const checkedWords = isChecked =>
  isChecked ? 'IDs compared with the reference library' : 'no: facts and IDs were not compared with any source';

/** @param {number} tokens @param {number|null} merges */
const vocabularyWords = (tokens, merges) => plural(tokens, 'token') + (merges ? `, ${plural(merges, 'merge')}` : '');

/** @param {Stages} stages */
const stageWords = stages =>
  STAGES.map(stage => stages[stage])
    .filter(words => words !== 'none')
    .join(' → ');

/** @param {SpecialToken[]} tokens */
function specials(tokens) {
  if (!tokens.length) return 'none';
  return h(
    'span',
    {},
    ...tokens
      .slice(0, MOST_SPECIALS)
      .map(({ text, id }) =>
        h(
          'span',
          { class: 'special-token' },
          h('bdi', { class: 'mono' }, text),
          ' ',
          h('span', { class: 'faint number' }, String(id)),
        ),
      ),
    tokens.length > MOST_SPECIALS ? `and ${count(tokens.length - MOST_SPECIALS)} more` : null,
  );
}
