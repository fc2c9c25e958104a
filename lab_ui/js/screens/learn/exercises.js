/** Exercises in Learn: asks for a sheet, for the marks of each answer, and for files of results. */
import { checkResultFile, exerciseProgress, exercises, markAnswers, resultFile } from '../../api/exercises.js';
import { AskWhileOpen } from '../../app/ask_while_open.js';
import { saveFile } from '../../app/files/files.js';
import { ExercisesView } from '../../lessons/exercises_view.js';
import { words } from '../../lessons/words/index.js';
import { listen } from '../../ui/dom.js';
import { problemWords } from '../../util/format.js';
import { isSame } from '../../util/seen.js';
/** @import {Answer, SheetKey} from '../../api/exercises.js' */
/** @import {Marks, Sheet} from '../../api/schema.d.ts' */

/**
 * @typedef {Object} Hooks
 * @property {() => void} shown a sheet is there
 * @property {(error: Error & {hint?: string}) => void} refused there is no sheet
 * @property {(seed: number) => void} seed another one is asked for
 * @property {(marks: Marks) => void} marked
 */

export class Exercises {
  view = new ExercisesView();
  #context;
  #hooks;
  #asking;
  /** @type {SheetKey|null} */
  #key = null;
  /** @type {Sheet|null} */
  #sheet = null;
  /** @type {Answer[]} */
  #answers = [];

  #keeps;

  /**
   * @param {import('../../app/context.js').Context} context @param {Hooks} hooks
   * @param {{keeps: boolean}} [options] `keeps`: answers, as progress
   */
  constructor(context, hooks, { keeps } = { keeps: true }) {
    this.#context = context;
    this.#hooks = hooks;
    this.#keeps = keeps;
    this.#asking = new AskWhileOpen(context.activity);
    listen(this.view, 'answer', ({ at, answer }) => this.#mark(this.#answers.with(at, answer)));
    listen(this.view, 'unvoted', at => this.#tell(at));
    listen(this.view, 'again', () => this.#mark(this.#answers.map(() => null)));
    listen(this.view, 'seed', seed => hooks.seed(seed));
    listen(this.view, 'save', name => this.#save(name));
    listen(this.view, 'file', file => this.#check(file));
  }

  /** Shows a sheet with what was answered before. @param {SheetKey} key @param {number} [at] a task; 0: an open one */
  open(key, at = 0) {
    this.#key = null; // an answer to the sheet before would end this
    this.#asking.ask({
      ask: async signal => {
        const [sheet, kept] = await Promise.all([exercises(key, signal), this.#keeps ? exerciseProgress(signal) : []]);
        const answers = answersOf(kept, sheet);
        const marks = answers ? await markAnswers({ ...key, answers, keep: false }, signal) : null;
        return { sheet, marks, answers: answers ?? sheet.tasks.map(() => null) };
      },
      show: ({ sheet, marks, answers }) => {
        this.#key = key;
        this.#sheet = sheet;
        this.#answers = answers;
        this.#hooks.shown();
        this.view.show({ sheet, marks });
        if (at > 0 && at < sheet.tasks.length) this.view.go(at);
      },
      showProblem: error => this.#hooks.refused(error),
    });
  }

  stop() {
    this.#asking.stop();
  }

  /** @param {Answer[]} answers */
  #mark(answers) {
    const [key, sheet] = [this.#key, this.#sheet];
    if (!key || !sheet) return;
    const before = this.#answers;
    this.#answers = answers; // before the marks are here: the next answer joins this one, whose request it ends
    this.#asking.ask({
      ask: signal => markAnswers({ ...key, answers, keep: this.#keeps }, signal),
      show: marks => {
        this.view.show({ sheet, marks: marks.answered ? marks : null });
        this.#hooks.marked(marks);
      },
      showProblem: error => {
        this.#answers = before;
        this.#context.status.showError(error);
      },
    });
  }

  /** Shows the answer of a task that nobody guessed: marks say it of any guess. @param {number} at */
  async #tell(at) {
    const key = this.#key;
    if (!key) return;
    const { activity, status } = this.#context;
    try {
      const answers = this.#answers.map((_, n) => (n === at ? 0 : null));
      const { marks } = await activity.track(
        markAnswers({ ...key, answers, keep: false }, new AbortController().signal),
      );
      if (key === this.#key) this.#mark(this.#answers.with(at, marks[at].solution));
    } catch (error) {
      status.showError(error);
    }
  }

  /** @param {string} learner */
  async #save(learner) {
    const { activity, status } = this.#context;
    if (!this.#key) return;
    try {
      const { name, data } = await activity.track(resultFile({ ...this.#key, answers: this.#answers, name: learner }));
      saveFile(name, data);
      status.announce(`${name} is saved`);
    } catch (error) {
      status.showError(error);
    }
  }

  /** @param {File} file */
  async #check(file) {
    try {
      const { name, marks } = await this.#context.activity.track(checkResultFile(file));
      const { right, of, kind, seed, tokenizer } = marks;
      const sheet = words.exercises.sheets[kind]?.title ?? words.exercises.kinds[kind];
      this.view.fileWords = words.exercises.checked({ name, right, of, sheet, seed, tokenizer });
    } catch (error) {
      this.view.fileWords = problemWords(/** @type {Error & {hint?: string}} */ (error));
    }
  }
}

/**
 * What makes the tasks of a sheet: answers fit no sheet of another tokenizer or corpus of the same id.
 * @param {Sheet|import('../../api/schema.d.ts').KeptSheet} sheet
 */
const originOf = ({ version, tokenizer, seed, kind, corpus, corpus_sha256, language, count, tokenizers }) => ({
  version,
  tokenizer,
  seed,
  kind,
  corpus,
  corpus_sha256,
  language,
  count,
  tokenizers,
});

/**
 * The answers that were given on a sheet; null: none yet.
 * @param {import('../../api/schema.d.ts').KeptSheet[]} kept @param {Sheet} sheet
 */
function answersOf(kept, sheet) {
  const same = kept.find(each => isSame(originOf(each), originOf(sheet)));
  return same?.answered ? same.answers : null;
}
