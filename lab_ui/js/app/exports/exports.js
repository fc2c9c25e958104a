/** Saves what is shown: the text with its tokens as a file, or a picture of it. Each says how it was made. */
import { cite, exportText } from '../../api/export.js';
import { handout } from '../../api/handouts.js';
import { fontStyle, loadFaces } from '../../picture/fonts.js';
import { printPicture } from '../../picture/pdf.js';
import { pictureOf, svgOf } from '../../picture/picture.js';
import { pngOf } from '../../picture/png.js';
import { checkPicture, spelled, withWholeTexts } from '../../picture/whole_text.js';
import { all } from '../../ui/dom.js';
import { saveFile } from '../files/files.js';
import { isSame } from '../../util/seen.js';

const SCALE = 2; // pixels of a picture for one of the screen
const LONGEST_NAME = 80;
/**
 * Widths of a picture in px, by the setting `pictureWidth`; null: as on the screen.
 * @type {Object<string, number|null>}
 */
const WIDTHS = { window: null, page: 720, column: 480 };

/** @typedef {'svg'|'png'|'pdf'} PictureFormat a PDF is printed */

/** @param {string} format @returns {format is PictureFormat} */
const isPicture = format => ['svg', 'png', 'pdf'].includes(format);

export class Exports {
  #settings;
  #session;
  #activity;
  #status;
  #screen;
  #showCitation;

  /**
   * @param {Pick<import('../context.js').Context, 'settings'|'session'|'activity'>} context
   * @param {import('../state/status.js').Status} status
   * @param {() => import('../screen.js').Screen|null} screen the one that is shown
   * @param {(citation: import('../../api/schema.d.ts').Citation) => void} showCitation
   */
  constructor({ settings, session, activity }, status, screen, showCitation) {
    this.#settings = settings;
    this.#session = session;
    this.#activity = activity;
    this.#status = status;
    this.#screen = screen;
    this.#showCitation = showCitation;
  }

  /** @param {import('../../api/export.js').Format|PictureFormat|'handout'|'folder'} format */
  save(format) {
    if (format === 'handout' || format === 'folder') return this.handout(format === 'folder');
    return isPicture(format) ? this.picture(format) : this.text(format);
  }

  /** Shows how to cite what is shown. */
  cite() {
    return this.#try(async () => this.#showCitation(await cite(this.#shown)));
  }

  /**
   * Saves the text and its tokens, of the tokenizers that are shown.
   * @param {import('../../api/export.js').Format} format
   */
  text(format) {
    return this.#try(async () => {
      const { name, data } = await exportText({ ...this.#shown, format });
      this.#save(name, data);
    });
  }

  /**
   * Saves the text and its tokenizers as a page that encodes new text without the lab.
   * @param {boolean} folder as files for a web server, in one ZIP file
   */
  handout(folder) {
    return this.#try(async () => {
      const { tokenizers, text, specials, addSpecialTokens } = this.#shown;
      const { name, data } = await handout({
        tokenizers,
        text,
        specials,
        add_special_tokens: addSpecialTokens,
        folder,
      });
      this.#save(name, data);
    });
  }

  /** Saves the whole text with its tokens as a picture, drawn by the page itself. @param {PictureFormat} format */
  picture(format) {
    return this.#try(async () => {
      const { ids, texts } = this.#pictured();
      const moment = this.#moment;
      const { provenance, caption } = await cite({ ...this.#shown, tokenizers: ids });
      await Promise.all([loadFaces(this.#session.text), spelled(texts)]);
      const picture = this.#drawn(moment, caption);
      const svg = svgOf(picture, { style: await fontStyle(picture.body), metadata: provenance });
      const name = ids.join('-').slice(0, LONGEST_NAME);
      if (format === 'pdf') return printPicture(svg, name);
      const data =
        format === 'svg'
          ? new Blob([svg], { type: 'image/svg+xml' })
          : await pngOf({ ...picture, svg }, SCALE, {
              Title: picture.title,
              Description: caption,
              Software: `${provenance.lab} ${provenance.lab_version}`,
              'Creation Time': provenance.made_at,
              Comment: JSON.stringify(provenance),
            });
      this.#save(`${name}.${format}`, data);
    });
  }

  /**
   * Reads the page as it is now: nothing is waited for.
   * @param {Object<string, unknown>} moment when its provenance was asked for: that of another text would be false
   * @param {string} caption
   */
  #drawn(moment, caption) {
    const { element, texts, legend } = this.#pictured();
    if (!isSame(this.#moment, moment))
      throw Object.assign(new Error('The text, the tokenizers or the settings changed while the picture was made.'), {
        hint: 'Save it again.',
      });
    const title = legend.map(({ name, text }) => `${name}: ${text}`).join(', ');
    const width = WIDTHS[this.#settings.get('pictureWidth')];
    return withWholeTexts(element, texts, width, () => pictureOf(element, texts, { heads: legend, title, caption }));
  }

  /** What a picture is made of. */
  #pictured() {
    const found = this.#screen()?.exportable;
    if (!found)
      throw Object.assign(new Error('There is no text with tokens on the screen to make a picture of.'), {
        hint: 'Choose “Text” in Inspect, or “Aligned” or “Side by side” in Compare.',
      });
    const { element, legend, isCurrent } = found;
    const texts = /** @type {import('../../editor/token_text.js').TokenText[]} */ (
      element.matches('token-text') ? [element] : all(element, 'token-text')
    );
    checkPicture(texts, isCurrent);
    return { element, texts, legend, ids: legend.map(({ id }) => id) };
  }

  /** All that the provenance of a picture depends on. */
  get #moment() {
    return { ...this.#shown, text: this.#session.version, tokenizers: this.#pictured().ids };
  }

  /** @returns {import('../../api/export.js').Shown} */
  get #shown() {
    const [addSpecialTokens, specials, ignoreSpaces] = ['addSpecialTokens', 'specials', 'ignoreSpaces'].map(name =>
      this.#settings.get(name),
    );
    const tokenizers = this.#screen()?.tokenizers ?? this.#settings.get('chosen');
    return { tokenizers, text: this.#session.text, addSpecialTokens, specials, ignoreSpaces };
  }

  /** @param {string} name @param {Blob} data */
  #save(name, data) {
    saveFile(name, data);
    const message = `${name} is saved`;
    this.#status.announce(message);
    this.#status.shown.progress(message);
  }

  /** @param {() => Promise<void>} work */
  #try(work) {
    return this.#activity.track(work().catch(error => this.#status.shown.showError(error)));
  }
}
