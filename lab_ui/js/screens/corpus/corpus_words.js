/** How corpora and analyses are named in lists. */
import { textSize } from '../../api/corpora.js';
import { MUCH_UNKNOWN } from '../../text/figures.js';
import { figure, percent, plural, size, THIN_SPACE } from '../../util/format.js';

/** "60 languages", "1 language", or "" if it names none. @param {{languages: string[]}} corpus */
const languageWords = ({ languages }) => (languages.length ? plural(languages.length, 'language') : '');

/** "UDHR, 60 languages" @param {import('../../api/schema.d.ts').CorpusEntry} corpus */
export const corpusName = corpus => [corpus.title, languageWords(corpus)].filter(Boolean).join(', ');

/**
 * "text = body, language = lang", or "" without columns. @param {import('../../api/schema.d.ts').CorpusEntry} corpus
 */
const columnWords = ({ text_column: text, language_column: language }) =>
  [text ? `text = ${text}` : '', language ? `language = ${language}` : ''].filter(Boolean).join(', ');

/**
 * "1.2 MB, 9 500 documents, text = body, language = lang, 60 languages"
 * @param {import('../../api/schema.d.ts').CorpusEntry} corpus
 */
export const corpusFacts = corpus =>
  [
    size(textSize(corpus)),
    corpus.documents === null ? '' : plural(corpus.documents, 'document'),
    columnWords(corpus),
    languageWords(corpus),
    corpus.is_parallel ? 'parallel' : '',
    corpus.cleaning.length ? `${plural(corpus.cleaning.length, 'step')} of cleaning` : '',
  ]
    .filter(Boolean)
    .join(', ');

/**
 * "For the paper · PUD: 19 languages, 9 500 documents, 1.4 MB", with the name that the analysis was given.
 * @param {{corpus: import('../../api/schema.d.ts').CorpusFacts, name: string}} analysis
 */
export function analysedWords({ corpus, name }) {
  const parts = [languageWords(corpus), plural(corpus.documents, 'document'), size(corpus.bytes)];
  const share = corpus.sampled === null ? '' : `, a sample of ${figure(100 * corpus.sampled)}${THIN_SPACE}%`;
  const given = name && name !== corpus.title ? `${name} · ` : '';
  return `${given}${corpus.title}: ${parts.filter(Boolean).join(', ')}${share}`;
}

/**
 * How a tokenizer differs in tokens from the first one, with the interval over documents: "2.70 % fewer tokens than A
 * (2.40 to 3.00 %)". A first one that loses much of the text needs few tokens for that alone, which is said.
 * @param {import('../../api/schema.d.ts').TokenRatios|null|undefined} ratios
 * @param {{id: string, letter: string, result?: {unknown_rate: number|null}}} base @param {{id: string}} tokenizer
 * @returns {{words: string, title: string}|null} null: not measured
 */
export function ratioWords(ratios, base, { id }) {
  const found = ratios?.ratios.find(({ tokenizer, against }) => tokenizer === id && against === base.id);
  if (!ratios || !found) return null;
  const [low, high] = found.interval.map(end => 100 * (end - 1));
  const title =
    `${percent(ratios.level)} interval: percentiles of ${plural(ratios.resamples, 'sample')} of the documents, ` +
    'drawn with replacement';
  if (low <= 0 && high >= 0)
    return {
      words: `Not told apart from ${base.letter} (${figure(low)} to ${figure(high)}${THIN_SPACE}% tokens)`,
      title: `${title}. It holds 0, so these documents do not show which needs fewer tokens`,
    };
  const [least, most] = [Math.abs(low), Math.abs(high)].sort((a, b) => a - b);
  const share = Math.abs(100 * (found.ratio - 1));
  const unknown = base.result?.unknown_rate ?? 0;
  const lost = unknown > MUCH_UNKNOWN ? `; ${percent(unknown, 1)} of those of ${base.letter} are unknown` : '';
  return {
    words:
      `${figure(share)}${THIN_SPACE}% ${high < 0 ? 'fewer' : 'more'} tokens than ${base.letter} ` +
      `(${figure(least)} to ${figure(most)}${THIN_SPACE}%)${lost}`,
    title,
  };
}
