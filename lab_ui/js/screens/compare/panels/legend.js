/** What the marks mean that occur in the window, and how boundaries are compared. */
import { Panel } from '../../../app/panel.js';
import { drawLegend, legend } from '../../../ui/tokens/legend.js';
import { legendEntries } from '../compare_legend.js';

/** Settings that change which marks are written. */
const LOOKS = ['showWhiteSpace', 'ignoreSpaces', 'compare.view', 'compare.laneIds', 'showIds', 'colourBy'];
const SIGNS = ['·', '↵'];

export class LegendPanel extends Panel {
  element = legend([]);
  #text;
  #isActive;
  /** @type {import('../panes.js').CompareAnswer|null} */
  #answer = null;

  /** @param {import('../../../editor/token_text.js').TokenText} text @param {() => boolean} isActive */
  constructor(text, isActive) {
    super();
    this.#text = text;
    this.#isActive = isActive;
  }

  /** @param {import('../panes.js').CompareAnswer|null} answer @param {boolean} isSettled */
  onAnswer(answer, isSettled) {
    this.#answer = answer;
    if (!answer || isSettled) this.draw();
  }

  /** @param {Set<string>} changed */
  onState(changed) {
    if ([...LOOKS, 'chosen', 'compare.hidden', 'entries'].some(name => changed.has(name))) this.draw();
  }

  draw() {
    const { settings, status } = this.context;
    const answer = this.#answer;
    const entries = answer
      ? legendEntries({
          view: settings.get('compare.view'),
          lanes: answer.lanes,
          results: answer.results,
          differs: answer.divergences.length > 0,
          ...this.#marks(answer),
        })
      : [];
    drawLegend(this.element, entries);
    const isMoved = settings.get('ignoreSpaces') && Boolean(answer?.text.length);
    if (this.#isActive()) status.note(isMoved ? 'Boundaries next to a space count as one' : '');
  }

  /**
   * The marks that are written in the lanes. "##" is one in a WordPiece vocabulary alone.
   * @param {import('../panes.js').CompareAnswer} answer
   */
  #marks(answer) {
    const marks = new Set();
    const boundaries = new Set();
    this.#text.writtenMarks.forEach((lane, n) => {
      const { id } = answer.lanes[n] ?? {};
      const continues = this.context.catalog.entry(id)?.family === 'WordPiece';
      for (const { text, mark } of lane.labels) {
        if (continues && mark && text.startsWith('##')) marks.add('##');
        for (const sign of SIGNS) if (text.includes(sign)) marks.add(sign);
      }
      for (const boundary of lane.boundaries) boundaries.add(boundary);
    });
    return { marks, boundaries };
  }
}
