/**
 * The drawer's settings: what the next analysis counts, what the corpus is, what the analysis that is shown was made
 * with. Gets `show`; reports `settingchange` (detail: values by name), `removecorpus`, `repeatanalysis` and
 * `removeanalysis`.
 */
import { confirmButton } from '../../ui/confirm_button.js';
import { actionButton, drawnOnce, h } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { textSize } from '../../api/corpora.js';
import { count, DASH, durationOfSeconds, figure, plural, size, THIN_SPACE, whenWords } from '../../util/format.js';
import { CorpusReading } from './corpus_reading.js';
import { SAMPLES } from './settings.js';
import { facts, part } from '../../ui/facts.js';
import { line, select } from '../../ui/form.js';

const SHORT_DIGEST = 12;

/**
 * @typedef {import('../../api/schema.d.ts').CorpusEntry} Corpus
 * @typedef {import('../../api/analyses.js').Analysis} Analysis
 */
export class SettingsPanel extends LabElement {
  /** How the corpus is read. */
  reading = new CorpusReading();

  /** @param {{corpus: Corpus|null, analysis: Analysis|null, sample: string, reference: string|null}} shown */
  show({ corpus, analysis, sample, reference }) {
    drawnOnce(this, [corpus, analysis?.id, sample, reference], () => [
      corpus && this.#next(corpus, sample, reference),
      corpus && this.#corpus(corpus),
      analysis && this.#analysis(analysis, corpus !== null),
    ]);
  }

  /** @param {Corpus} corpus @param {string} sample @param {string|null} reference */
  #next(corpus, sample, reference) {
    const languages = [...corpus.languages];
    return part(
      'Next analysis',
      line(
        'Count',
        select('sample', value => this.emit('settingchange', { 'corpus.sample': value }), SAMPLES, sample),
      ),
      corpus.is_parallel
        ? line(
            'Premium against',
            select(
              'reference',
              value => this.emit('settingchange', { 'corpus.reference': value || null }),
              [{ value: '', label: 'English, or the first' }, ...languages.map(value => ({ value, label: value }))],
              languages.includes(reference ?? '') ? (reference ?? '') : '',
            ),
          )
        : h(
            'p',
            { class: 'dim' },
            'Premium needs parallel text: one file per language, line by line the same sentence.',
          ),
    );
  }

  /** @param {Corpus} corpus */
  #corpus(corpus) {
    return part(
      'Corpus',
      facts([
        ['Text', size(textSize(corpus))],
        ['Files', `${plural(corpus.files, 'file')}, ${size(corpus.bytes)}`],
        ['Documents', count(corpus.documents)],
        ['Languages', corpus.languages.length ? count(corpus.languages.length) : DASH],
        ['Format', corpus.format],
        ['SHA-256', corpus.sha256.slice(0, SHORT_DIGEST)],
      ]),
      this.reading,
      corpus.builtin
        ? null
        : confirmButton({
            label: 'Remove from the list',
            name: corpus.title,
            handler: () => this.emit('removecorpus'),
          }),
    );
  }

  /** @param {Analysis} analysis @param {boolean} canRepeat whether its corpus is in the list */
  #analysis(analysis, canRepeat) {
    const { settings, corpus } = analysis;
    const changed = Object.entries(corpus.cleaning ?? {}).map(
      ([step, n]) => `${step}: ${plural(n, 'document')} changed`,
    );
    return part(
      'This analysis',
      facts([
        ['Made', whenWords(analysis.made_at)],
        ['Took', durationOfSeconds(analysis.elapsed_s)],
        [
          'Counted',
          corpus.sampled === null ? 'all of the corpus' : `${figure(100 * corpus.sampled)}${THIN_SPACE}% of its bytes`,
        ],
        ['Counted by', analysis.versions.cluster ?? 'one process'],
        ['Reference', settings.reference_language ?? DASH],
        ['Rényi order', String(settings.alpha)],
        ['Cleaning', changed.join('; ') || 'none'],
      ]),
      h('p', { class: 'dim' }, 'Repeat it with'),
      h('code', { class: 'mono command', tabIndex: 0 }, analysis.command),
      canRepeat
        ? null
        : h(
            'p',
            { class: 'dim' },
            'Its corpus is not in the list. Run the command where the files are, or add them again.',
          ),
      h(
        'div',
        { class: 'setting-buttons' },
        canRepeat ? actionButton('Run again', () => this.emit('repeatanalysis')) : null,
        confirmButton({ label: 'Delete this analysis', name: '', handler: () => this.emit('removeanalysis') }),
      ),
    );
  }
}

customElements.define('corpus-settings', SettingsPanel);
