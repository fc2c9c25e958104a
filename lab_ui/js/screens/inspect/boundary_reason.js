/**
 * Why the chosen token starts or ends where it does: one plain sentence, the smallest edit, and the mechanism, folded.
 * Gets `show`; reports `ask` (detail: `start`, `end`, or null to close), `tryedit` (detail: the edit of the place) and
 * `watch`.
 */
import { LabElement } from '../../ui/element.js';
import { keyWords } from '../../app/commands/command.js';
import { actionButton, h } from '../../ui/dom.js';
import { factRows, stageWords, weighedSegmentations } from '../../text/boundary_facts.js';
import { asSentence } from '../../util/format.js';
import { HIDDEN, nameOf } from '../../text/visible_text.js';
import { idFace, segmentations } from '../../ui/tokens/segmentations.js';
import { visibleNodes } from '../../ui/tokens/token_spans_text.js';

/** @type {[side: Side, label: string][]} */
const SIDES = [
  ['start', 'start here?'],
  ['end', 'end here?'],
];
const NAMED = new RegExp(`(${HIDDEN.source}|[\\n\\t])`, 'u');

/**
 * @typedef {'start'|'end'} Side of a token
 * @typedef {import('../../text/boundary_facts.js').Place} Place
 * @typedef {import('../../ui/tokens/segmentations.js').EntryOf} EntryOf
 * @typedef {{state: 'closed'}|{state: 'asking'}|{state: 'problem', message: string, hint?: string}|{state: 'untraced',
 *   text: string}|{state: 'explained', place: Place, part: string, entryOf: EntryOf}} Reason
 */
export class BoundaryReason extends LabElement {
  /** @type {Map<Side, HTMLButtonElement>} */
  #buttons = new Map();
  #body = h('div', { class: 'reason', id: 'boundary-reason', 'data-role': 'boundary-reason', hidden: true });
  /** @type {Side|null} */
  #side = null;
  #watch = actionButton('Watch how', () => this.emit('watch'), {
    class: 'small-chip',
    'data-role': 'watch-how',
    title: 'The step of the lesson that makes this token',
  });
  /** Stays open from token to token. */
  #isMechanismOpen = false;

  render() {
    for (const [side, label] of SIDES) {
      this.#buttons.set(
        side,
        actionButton(label, () => this.emit('ask', this.#side === side ? null : side), {
          class: 'small-chip',
          'data-role': `why-${side}`,
          'aria-label': `Why does it ${label}`,
          'aria-controls': 'boundary-reason',
          'aria-expanded': 'false',
          title: side === 'end' ? 'Why does it end here? (y)' : 'Why does it start here?',
        }),
      );
    }
    this.append(
      h(
        'section',
        { class: 'panel-part', 'aria-label': 'Why is there a boundary?' },
        h('div', { class: 'reason-head' }, h('h3', {}, 'Why does it'), ...this.#buttons.values(), this.#watch),
        this.#body,
      ),
    );
  }

  /** @param {boolean} canWatch whether there is a lesson on the model of the tokenizer */
  set canWatch(canWatch) {
    this.#watch.hidden = !canWatch;
  }

  /** @param {Side|null} side which end of the token is asked about @param {Reason} reason */
  show(side, reason) {
    this.#side = side;
    for (const [name, button] of this.#buttons) {
      button.ariaExpanded = String(name === side);
      button.classList.toggle('chosen', name === side);
    }
    this.#body.hidden = !side;
    this.#body.dataset.state = reason.state;
    this.#body.ariaBusy = String(reason.state === 'asking');
    this.#body.replaceChildren(...this.#nodes(reason));
  }

  /** @param {Reason} reason @returns {Node[]} */
  #nodes(reason) {
    if (reason.state === 'asking') return [h('p', { class: 'dim' }, 'Loading…')];
    if (reason.state === 'untraced') return [h('p', { class: 'dim' }, reason.text)];
    if (reason.state === 'problem')
      return [
        h('p', { class: 'warning' }, asSentence(reason.message)),
        ...(reason.hint && reason.hint !== reason.message ? [h('p', { class: 'dim' }, asSentence(reason.hint))] : []),
      ];
    if (reason.state !== 'explained') return [];
    const { place, part, entryOf } = reason;
    const nodes = [
      h('p', { class: 'reason-sentence' }, h('bdi', {}, ...sentenceNodes(place.reason))),
      this.#edit(place),
      this.#mechanism(place, entryOf),
      part ? h('p', { class: 'dim reason-part' }, part) : null,
    ];
    return /** @type {Node[]} */ (nodes.filter(Boolean));
  }

  /** The stage, the rule and the facts, for those who want to know. @param {Place} place @param {EntryOf} entryOf */
  #mechanism(place, entryOf) {
    const details = h(
      'details',
      { 'data-role': 'mechanism', open: this.#isMechanismOpen },
      h('summary', {}, 'How the tokenizer decides'),
      h('p', { class: 'reason-stage' }, stageWords(place)),
      // The plain sentence above may already say it.
      asSentence(place.summary) === place.reason
        ? null
        : h('p', {}, h('bdi', {}, ...sentenceNodes(asSentence(place.summary)))),
      factList(factRows(place), entryOf),
      segmentations(weighedSegmentations(place), entryOf),
    );
    details.addEventListener('toggle', () => {
      this.#isMechanismOpen = details.open;
    });
    return details;
  }

  /** @param {Place} place */
  #edit({ boundary, stage, edit }) {
    if (!boundary || stage === 'edge') return null;
    if (!edit) return h('p', { class: 'dim' }, 'No natural edit removes this boundary.');
    const words = h(
      'span',
      {},
      'Smallest edit that removes the boundary: ',
      h('bdi', {}, ...sentenceNodes(`${edit.summary}.`)),
    );
    return h(
      'p',
      { class: 'reason-edit' },
      words,
      ' ',
      actionButton('Try it', () => this.emit('tryedit', edit), {
        class: 'small-chip',
        'data-role': 'try-edit',
        title: `Apply this edit (${keyWords('Mod+Z')} to undo)`,
      }),
    );
  }
}

/** Text as it is, but no character in it that cannot be seen, or that turns the text around it. @param {string} text */
function sentenceNodes(text) {
  return text
    .split(NAMED)
    .map((part, n) => (n % 2 ? h('span', { class: 'named' }, nameOf(part.codePointAt(0) ?? 0)) : part));
}

/** @param {import('../../text/boundary_facts.js').FactRow[]} rows @param {EntryOf} entryOf */
function factList(rows, entryOf) {
  if (!rows.length) return null;
  /** @param {number} id */
  const face = id => idFace(id, entryOf);
  return h(
    'dl',
    { class: 'reason-facts' },
    ...rows.flatMap(({ name, tokens, text, texts = [] }) => [
      h('dt', {}, name),
      h(
        'dd',
        {},
        tokens.flatMap((id, n) => [
          n
            ? h('span', { class: 'faint' }, name === 'runner-up' || name === 'without this boundary' ? ' ' : ' + ')
            : null,
          face(id),
        ]),
        text ? h('span', { class: 'dim number' }, `${tokens.length ? ' ' : ''}${text}`) : null,
        texts.length
          ? h(
              'span',
              { class: 'tried' },
              texts.map(tried => h('bdi', { class: 'mono faint' }, ...visibleNodes(tried), ' ')),
            )
          : null,
      ),
    ]),
  );
}

customElements.define('boundary-reason', BoundaryReason);
