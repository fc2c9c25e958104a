/** Saves what is shown: the text with its tokens as a file, or a picture of it. */
import { exportText } from '../api/export.js';
import { pictureOf, pngOf } from '../editor/text_picture.js';
import { saveFile } from './files.js';

const SCALE = 2; // pixels of a picture for one of the screen
const LONGEST_NAME = 80;

export class Exports {
  #settings;
  #session;
  #activity;
  #status;
  #screen;

  /**
   * @param {Pick<import('./context.js').Context, 'settings'|'session'|'activity'>} context
   * @param {import('./status.js').Status} status
   * @param {() => import('./screen.js').Screen|null} screen the one that is shown
   */
  constructor({ settings, session, activity }, status, screen) {
    this.#settings = settings;
    this.#session = session;
    this.#activity = activity;
    this.#status = status;
    this.#screen = screen;
  }

  /** Saves the text and its tokens, of the tokenizers that are shown. @param {'json'|'csv'|'html'} format */
  text(format) {
    return this.#try(async () => {
      const [addSpecialTokens, specials, ignoreSpaces] = ['addSpecialTokens', 'specials', 'ignoreSpaces'].map(name =>
        this.#settings.get(name),
      );
      const { text } = this.#session;
      const tokenizers = this.#screen()?.tokenizers ?? this.#settings.get('chosen');
      const { name, data } = await exportText({
        tokenizers,
        text,
        format,
        addSpecialTokens,
        specials,
        ignoreSpaces,
      });
      this.#save(name, data, '');
    });
  }

  /** Saves what is in the window as a picture, drawn by the page itself. @param {'svg'|'png'} format */
  picture(format) {
    const found = this.#screen()?.exportable;
    return this.#try(async () => {
      if (!found)
        throw Object.assign(new Error('There is no text with tokens on the screen to make a picture of.'), {
          hint: 'Choose “Text” in Inspect, or “Aligned” or “Side by side” in Compare.',
        });
      const { element, legend } = found;
      const title = legend.map(({ name, words }) => `${name}: ${words}`).join(', ');
      const picture = pictureOf(element, { heads: legend, title });
      const data = format === 'svg' ? new Blob([picture.svg], { type: 'image/svg+xml' }) : await pngOf(picture, SCALE);
      const name = legend.map(({ id }) => id).join('-');
      this.#save(`${name.slice(0, LONGEST_NAME)}.${format}`, data, picture.whole ? '' : ', the part in the window');
    });
  }

  #save(name, data, remark) {
    saveFile(name, data);
    this.#status.announce(`${name} is saved${remark}`);
  }

  #try(work) {
    return this.#activity.track(work().catch(error => this.#status.shown.showError(error)));
  }
}
