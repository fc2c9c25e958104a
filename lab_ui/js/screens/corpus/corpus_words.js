/** How corpora and analyses are named in lists. */
import { textSize } from '../../api/corpora.js';
import { figure, plural, size, THIN_SPACE } from '../../util/format.js';

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

/** "PUD: 19 languages, 9 500 documents, 1.4 MB" @param {import('../../api/schema.d.ts').CorpusFacts} corpus */
export function analysedWords(corpus) {
  const parts = [languageWords(corpus), plural(corpus.documents, 'document'), size(corpus.bytes)];
  const share = corpus.sampled === null ? '' : `, a sample of ${figure(100 * corpus.sampled)}${THIN_SPACE}%`;
  return `${corpus.title}: ${parts.filter(Boolean).join(', ')}${share}`;
}
