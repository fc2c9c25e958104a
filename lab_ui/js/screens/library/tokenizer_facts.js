/** The facts of one tokenizer, as a list of names and values. */
import { h, linkify } from '../../ui/dom.js';
import { count, plural, problemWords, size } from '../../util/format.js';
import { isAway } from '../../app/tokenizers/tokenizer_groups.js';
import { facts } from '../../ui/facts.js';

const STAGES = ['normalizer', 'pretokenizer', 'model', 'postprocessor', 'decoder'];
const MOST_SPECIALS = 12;

/**
 * @param {import('../../api/schema.d.ts').CatalogEntry} entry
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

/** @returns {[string, string|Node][]} */
function factsOf(entry) {
  const mono = (text, title = '') => h('span', { class: 'mono', title }, text);
  const found = [
    ['id', mono(entry.id)],
    ['source', [isAway(entry) ? 'available to download' : entry.source, entry.origin].filter(Boolean).join(': ')],
    entry.revision && ['revision', mono(entry.revision.slice(0, 12), entry.revision)],
    entry.sha256 && ['sha256', mono(entry.sha256)],
    entry.checked !== null && ['checked', checkedWords(entry.checked)],
    isAway(entry) && entry.size_bytes && ['size', size(entry.size_bytes)],
    entry.vocab_size && ['vocabulary', vocabularyWords(entry)],
    entry.stages && ['special tokens', specials(entry.special_tokens)],
    entry.stages && ['stages', stageWords(entry.stages)],
    entry.lossy && ['decoding', `may change the text: ${entry.lossy}`],
    entry.ignored_fields.length > 0 && [
      'ignored fields',
      mono(entry.ignored_fields.map(({ place, value }) => `${place} = ${value}`).join(', ')),
    ],
  ];
  return /** @type {any} */ (found.filter(Boolean));
}

const checkedWords = isChecked =>
  isChecked ? 'IDs compared with the reference library' : 'no: facts and IDs were not compared with any source';

const vocabularyWords = ({ vocab_size: size, merge_count: merges }) =>
  plural(size, 'token') + (merges ? `, ${plural(merges, 'merge')}` : '');

const stageWords = stages =>
  STAGES.map(stage => stages[stage])
    .filter(words => words !== 'none')
    .join(' → ');

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
