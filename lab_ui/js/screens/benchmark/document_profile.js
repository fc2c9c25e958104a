/** Where the time goes inside of one document of a run. Gets `show`; reports `inspectdocument` and `closeprofile`. */
import { contextNodes } from '../../ui/named_text.js';
import { FigureGrid } from '../../ui/figure_grid.js';
import { actionButton, h, setText } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { ICONS, icon } from '../../ui/icons.js';
import { count, duration, size } from '../../util/format.js';
/** @import {Figure} from '../../api/schema.d.ts' */

const SHOWN = 120; // characters of the slowest part

/**
 * @typedef {import('../../api/schema.d.ts').Profile} Profile
 * @typedef {{text: string, tokenizer: string, number: number, isWhole: boolean}} Document
 */

export class DocumentProfile extends LabElement {
  #title = h('h2', { tabIndex: -1 });
  #words = h('p', { class: 'bench-caption' });
  #slowest = h('p', { class: 'profile-slowest' });
  #figures = new FigureGrid();
  /** @type {Document|null} */
  #document = null;

  render() {
    this.hidden = true;
    this.append(
      h(
        'div',
        { class: 'slow-head' },
        h('div', {}, this.#title, this.#words),
        h(
          'span',
          { class: 'bench-actions' },
          actionButton('Open in Inspect', () => this.emit('inspectdocument', this.#document)),
          actionButton(icon(ICONS.cross), () => this.emit('closeprofile'), {
            class: 'button',
            ariaLabel: 'Close the profile',
          }),
        ),
      ),
      this.#slowest,
      this.#figures,
    );
  }

  /** @param {{document: Document, profile: Profile, figures: Figure[]}|null} shown null: none */
  async show(shown) {
    this.hidden = !shown;
    this.#document = shown?.document ?? null;
    if (!shown) {
      await this.#figures.show([]);
      return;
    }
    const { document, profile, figures } = shown;
    setText(this.#title, `Document ${count(document.number)}: where its time goes`);
    const part = document.isWhole ? '' : 'its beginning, ';
    setText(this.#words, `${document.tokenizer} in Tokenlab, ${part}${size(profile.bytes)}, medians of nine rounds`);
    this.#slowest.replaceChildren(...slowestNodes(document.text, profile));
    this.#title.focus({ preventScroll: true });
    await this.#figures.show(figures);
    this.scrollIntoView({ block: 'start' });
  }
}

/** @param {string} text @param {Profile} profile */
function slowestNodes(text, { slices }) {
  /** @param {Profile['slices'][number]} slice */
  const perByte = ({ start_utf8: start, end_utf8: end, elapsed_ns: time }) => time / Math.max(1, end - start);
  const slowest = slices.reduce((worst, part) => (perByte(part) > perByte(worst) ? part : worst));
  const bytes = new TextEncoder().encode(text).subarray(slowest.start_utf8, slowest.end_utf8);
  const excerpt = [...new TextDecoder().decode(bytes)].slice(0, SHOWN).join('');
  return [
    `Slowest per byte, ${duration(slowest.elapsed_ns)} from byte ${count(slowest.start_utf8)}: `,
    h('bdi', { class: 'mono' }, ...contextNodes(excerpt)),
  ];
}

customElements.define('document-profile', DocumentProfile);
