/** Which corpus is counted: the controls in the bar, what to do first, the dialog that adds one, how one is read. */
import { Panel } from '../../../app/panel.js';
import { listen } from '../../../ui/dom.js';
import { Invitation } from '../../../ui/invitation.js';
import { listed, plural } from '../../../util/format.js';
import { AddCorpus } from '../add_corpus.js';
import { CorpusControls } from '../corpus_controls.js';
import { corpusFacts } from '../corpus_words.js';

/**
 * @typedef {Pick<typeof import('../../../api/corpora.js'), 'addCorpus'|'cleanCorpus'|'getCorpus'|'listCleaningSteps'|
 *   'uploadCorpus'>} Client
 */
export class CorporaPanel extends Panel {
  element = new CorpusControls();
  dialog = new AddCorpus();
  invitation = new Invitation();
  #screen;
  #client;
  #reading;
  /** The corpus whose reading is shown. @type {string|null} */
  #read = null;
  /** @type {import('../../../api/schema.d.ts').CorpusDetail|null} */
  #detail = null;

  /**
   * @param {import('../corpus_data.js').Host} screen @param {Client} client
   * @param {import('../corpus_reading.js').CorpusReading} reading
   */
  constructor(screen, client, reading) {
    super();
    this.#screen = screen;
    this.#client = client;
    this.#reading = reading;
    screen.handle(this.element, 'choosecorpus', id => screen.data.choose(id));
    screen.handle(this.element, 'cancelanalysis', () => screen.data.cancel());
    listen(this.element, 'analyze', () => screen.analyze());
    listen(this.element, 'addcorpus', () => this.dialog.open());
    listen(this.invitation, 'invited', name => (name === 'add' ? this.dialog.open() : screen.analyze()));
    listen(this.dialog, 'addpaths', paths => this.#addPaths(paths, {}));
    listen(this.dialog, 'addfiles', files => this.take(files));
    listen(reading, 'readagain', options => this.#readAgain(options));
  }

  /** @param {import('../../../app/context.js').Context} context */
  mount(context) {
    super.mount(context);
    this.#reading.cleaning.start(work => context.activity.track(work));
  }

  /** @param {import('../corpus_data.js').Told} told */
  onResult({ corpora, corpus, analysis, isBusy, isLoaded, job, state }) {
    const { catalog } = this.context;
    const { chosen } = catalog;
    const gone = corpus ? '' : (analysis?.corpus.title ?? '');
    const canRun = corpus !== null && chosen.length > 0;
    this.element.show({ corpora, corpus, gone, isRunning: isBusy, canRun });
    this.invitation.hidden = analysis !== null || !isLoaded;
    this.#invite(corpus, listed(chosen.map(id => catalog.nameOf(id))), isBusy);
    this.invitation.job = job;
    this.#readHow(state.drawer === 'settings' ? (corpus?.id ?? null) : null);
  }

  /**
   * @param {import('../../../api/schema.d.ts').CorpusEntry|null} corpus @param {string} names @param {boolean} isBusy
   */
  #invite(corpus, names, isBusy) {
    const next = isBusy ? 'The analysis is under way.' : `Count the tokens of ${names} in every document.`;
    this.invitation.show({
      title: corpus?.title ?? 'No corpus is here',
      paragraphs: [
        { words: corpus ? corpusFacts(corpus) : 'Add files or a folder of text.', isDim: true },
        { words: corpus ? next : '' },
      ],
      acts: [
        { name: 'analyze', label: 'Analyze', isPrimary: true, isDisabled: !corpus || isBusy || !names },
        { name: 'add', label: 'Add a corpus of your own…' },
      ],
      note: 'Or drop files anywhere in the window.',
      progress: 'Progress of the analysis',
    });
  }

  /** Files become a corpus. @param {import('../../../app/files/dropped_files.js').DroppedFile[]} files */
  take(files) {
    if (!files.length) return null;
    const [{ path }] = files;
    const others = files.length > 1 ? ` and ${plural(files.length - 1, 'more file')}` : '';
    return this.#add(() => this.#client.uploadCorpus(files, { title: `${path}${others}` }));
  }

  /** @param {string[]} paths @param {import('../../../api/corpora.js').CorpusOptions} options */
  #addPaths(paths, options) {
    return this.#add(async () => this.context.jobs.follow(await this.#client.addCorpus(paths, options)));
  }

  /** Shows which columns of a table were taken for text and language, to be changed, and its first documents. */
  #showColumns() {
    this.context.settings.set({ showPanel: true });
    this.#screen.set({ drawer: 'settings' });
  }

  /**
   * Reads the files of the corpus in another way, as another corpus.
   * @param {import('../../../api/corpora.js').CorpusOptions} options
   */
  #readAgain(options) {
    if (!this.#detail) return null;
    const { id, title, first_files: files, builtin, files: number } = this.#detail;
    if (builtin || number > files.length)
      return this.#add(async () =>
        this.context.jobs.follow(await this.#client.cleanCorpus(id, options.cleaning ?? [])),
      );
    return this.#addPaths(
      files.map(({ path }) => path),
      { title, ...options },
    );
  }

  /** Reads how the corpus is read, once per corpus and only where it is shown. @param {string|null} wanted its id */
  #readHow(wanted) {
    if (wanted === null || wanted === this.#read) return;
    this.#read = wanted;
    this.#reading.show(null);
    this.#screen.try(async () => {
      const [detail, steps] = await Promise.all([this.#client.getCorpus(wanted), this.#client.listCleaningSteps()]);
      if (this.#read !== wanted) return;
      this.#detail = detail;
      this.#reading.show(detail, steps);
    });
  }

  /** @param {() => Promise<import('../../../api/schema.d.ts').CorpusDetail|null>} add null: it was stopped */
  #add(add) {
    const { activity, status } = this.context;
    this.dialog.problem = null;
    this.dialog.busy = 'Reading the files…';
    return activity.track(
      (async () => {
        try {
          const corpus = await add();
          this.dialog.close();
          if (!corpus) return;
          await this.#screen.data.add(corpus);
          if (corpus.columns.length) this.#showColumns();
          status.announce(`${corpus.title} is added: ${corpusFacts(corpus)}`);
        } catch (error) {
          if (this.dialog.isOpen) this.dialog.problem = /** @type {Error} */ (error);
          else this.#screen.showError(error);
        } finally {
          this.dialog.busy = '';
        }
      })(),
    );
  }
}
