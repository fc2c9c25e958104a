/**
 * Files of text or of a tokenizer: opened by the button or dropped anywhere; and files handed over to be saved. A
 * screen that has a use of its own for dropped files gets them.
 */
import { h, setText } from '../../ui/dom.js';
import { Latest } from '../../util/latest.js';
import { droppedFiles } from './dropped_files.js';
import { readTextFile } from './text_file.js';
import { areTokenizer } from '../tokenizers/tokenizer_file.js';

const KEPT_MS = 60_000;
const DROP_HINT = 'Drop a text to tokenize it, or a tokenizer’s files to add it';

export class Files {
  #session;
  #activity;
  #showError;
  #maxBytes;
  #addTokenizer;
  #opening = new Latest();

  /**
   * @param {import('../../text/session.js').TextSession} session gets the text
   * @param {import('../state/activity.js').Activity} activity
   * @param {(error: unknown) => void} showError null: the last one is over
   * @param {number} maxBytes that the backend takes in one request
   * @param {(files: File[]) => Promise<void>} addTokenizer adds the tokenizer that they make
   */
  constructor(session, activity, showError, maxBytes, addTokenizer) {
    this.#session = session;
    this.#activity = activity;
    this.#showError = showError;
    this.#maxBytes = maxBytes;
    this.#addTokenizer = addTokenizer;
  }

  /**
   * Reads a text, or adds a tokenizer. What is chosen later counts, however long this takes.
   * @param {File[]} files of a tokenizer, or a file of text: of several the first one is read
   */
  open(files) {
    return this.#activity.track(this.#open(files));
  }

  /** @param {File[]} files */
  async #open(files) {
    try {
      const [file] = files;
      const read = await this.#opening.run(async () =>
        (await areTokenizer(files)) ? { text: null, encoding: '' } : readTextFile(file, this.#maxBytes),
      );
      if (!read) return;
      this.#showError(null);
      if (read.text === null) await this.#addTokenizer(files);
      else this.#session.setText(read.text, { name: file.name, encoding: read.encoding });
    } catch (error) {
      this.#showError(error);
    }
  }

  /**
   * Files can be dropped anywhere; without this the window would show the file instead of the lab.
   * @param {() => import('../screen.js').Screen|null} shown the screen that is shown
   */
  acceptDrops(shown) {
    let depth = 0;
    const hint = h('div', { class: 'drop-hint', hidden: true });
    document.body.append(hint);
    /** @param {number} by */
    const move = by => {
      depth = by ? Math.max(0, depth + by) : 0;
      hint.hidden = depth === 0;
      setText(hint, shown()?.dropHint ?? DROP_HINT);
    };
    /** @param {'dragenter'|'dragleave'|'dragover'|'drop'} type @param {(event: DragEvent) => void} handler */
    const onFiles = (type, handler, capture = false) =>
      addEventListener(
        type,
        event => {
          if (hasFiles(event)) handler(event);
          else if (type === 'drop') move(0);
        },
        capture,
      );
    onFiles('dragenter', () => move(1));
    onFiles('dragleave', () => move(-1));
    onFiles('dragover', event => event.preventDefault());
    /** @param {DragEvent} event */
    const drop = event => {
      move(0);
      event.preventDefault();
      event.stopPropagation();
      const screen = shown();
      const data = event.dataTransfer;
      if (!data) return;
      if (screen?.dropHint)
        this.#activity.track(droppedFiles(data).then(found => screen.takeFiles(found), this.#showError));
      else {
        const files = [...data.files];
        if (files.length) this.open(files);
      }
    };
    onFiles('drop', drop, true);
  }
}

/** @param {DragEvent} event */
const hasFiles = event => [...(event.dataTransfer?.types ?? [])].includes('Files');

/** Hands a file over to be saved: the browser or the window asks where. @param {string} name @param {Blob} data */
export function saveFile(name, data) {
  const url = URL.createObjectURL(data);
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
