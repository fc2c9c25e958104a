/**
 * A legend: the marks that occur in a picture, each with its label. The swatches are drawn like what they stand for and
 * hidden from assistive tools, which read the labels.
 */
import { h, update } from '../dom.js';
import { stripes } from './token_spans_text.js';

/** @typedef {{swatch: HTMLElement|SVGElement, label: string}} LegendEntry */

/**
 * Returns a list of swatches with their labels.
 * @param {LegendEntry[]} entries what occurs, each once
 * @param {string} [name] of the list, for assistive tools
 * @returns {HTMLUListElement}
 */
export function legend(entries, name = 'What the marks mean') {
  const list = h('ul', { class: 'legend', 'aria-label': name });
  drawLegend(list, entries);
  return list;
}

/**
 * Draws other entries into a legend. Entries that stay are kept as they are.
 * @param {HTMLUListElement} list made by `legend`
 * @param {LegendEntry[]} entries
 */
export function drawLegend(list, entries) {
  update(
    list,
    entries,
    ({ label }) => label,
    () => h('li'),
    (item, { swatch, label }) => {
      swatch.ariaHidden = 'true';
      if (!item.firstElementChild?.isEqualNode(swatch)) item.replaceChildren(swatch, label);
    },
  );
}

/** Blocks of colour side by side. @param {...string} colours CSS colours, such as `var(--t1)` */
export function colourSwatch(...colours) {
  return h(
    'span',
    { class: 'swatches' },
    ...colours.map(colour => {
      const block = h('span');
      block.style.backgroundColor = colour;
      return block;
    }),
  );
}

/**
 * A character over the colours of the tokens that hold its bytes.
 * @param {string} character @param {...string} colours of CSS
 */
export function sharedSwatch(character, ...colours) {
  const swatch = h('bdi', { class: 'swatch-shared' }, character);
  swatch.style.backgroundImage = stripes(colours);
  return swatch;
}

/** A block with the hatch of tokens that hold parts of two characters. @param {string} colour of CSS */
export function hatchSwatch(colour) {
  const swatch = colourSwatch(colour);
  swatch.classList.add('hatched');
  return swatch;
}

/** The look of a token that stands for text the vocabulary lacks. @param {string} [spelling] of the token */
export const unknownSwatch = (spelling = '[UNK]') => h('span', { class: 'unknown-tag' }, spelling);

/** The look of a token that is added around the text. @param {string} spelling of the token */
export const addedSwatch = spelling => h('span', { class: 'added-tag' }, spelling);

/** A word in the type of the id row. @param {string} word */
export const wordSwatch = word => h('span', { class: 'swatch-word number' }, word);

/** The three dots that stand where an id has no room. */
export const dotsSwatch = () => h('span', { class: 'dots' });
