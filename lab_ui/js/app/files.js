/** Files of text: opened by the button or dropped anywhere, and files handed over to be saved. */
import { h } from '../ui/dom.js';
import { Latest } from '../util/latest.js';
import { readTextFile } from './text_file.js';

const KEPT_MS = 60_000;

export class Files {
  #session;
  #activity;
  #showError;
  #maxBytes;
  #opening = new Latest();

  /**
   * @param {import('../text/session.js').TextSession} session gets the text
   * @param {import('./activity.js').Activity} activity
   * @param {(error: Error|null) => void} showError null: the last one is over
   * @param {number} maxBytes that the backend takes in one request
   */
  constructor(session, activity, showError, maxBytes) {
    this.#session = session;
    this.#activity = activity;
    this.#showError = showError;
    this.#maxBytes = maxBytes;
  }

  /** @param {File} file of text; one that is chosen later counts, however long this one takes */
  open(file) {
    return this.#activity.track(this.#open(file));
  }

  async #open(file) {
    try {
      const read = await this.#opening.run(() => readTextFile(file, this.#maxBytes));
      if (!read) return;
      this.#showError(null);
      this.#session.setText(read.text, { name: file.name, encoding: read.encoding });
    } catch (error) {
      this.#showError(error);
    }
  }

  /** Files can be dropped anywhere; without this the window would show the file instead of the lab. */
  acceptDrops() {
    let depth = 0;
    const hint = h('div', { class: 'drop-hint', hidden: true }, 'Drop a text file to tokenize it');
    document.body.append(hint);
    const move = by => {
      depth = by ? Math.max(0, depth + by) : 0;
      hint.hidden = depth === 0;
    };
    const onFiles = (type, act, capture = false) =>
      addEventListener(
        type,
        event => {
          if (hasFiles(event)) act(event);
          else if (type === 'drop') move(0);
        },
        capture,
      );
    onFiles('dragenter', () => move(1));
    onFiles('dragleave', () => move(-1));
    onFiles('dragover', event => event.preventDefault());
    const drop = event => {
      move(0);
      event.preventDefault();
      event.stopPropagation();
      const [file] = event.dataTransfer.files;
      if (file) this.open(file);
    };
    onFiles('drop', drop, true);
  }
}

const hasFiles = event => [...(event.dataTransfer?.types ?? [])].includes('Files');

/** Hands a file over to be saved: the browser or the window asks where. @param {string} name @param {Blob} data */
export function saveFile(name, data) {
  const url = URL.createObjectURL(data);
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
