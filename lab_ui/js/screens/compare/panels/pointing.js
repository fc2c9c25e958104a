/**
 * The token that is pointed at, with those of the other tokenizers that hold a part of it, and the one that is picked.
 */
import { Panel } from '../../../app/panel.js';
import { tokenFacts } from '../../../text/token_facts.js';
import { spokenText } from '../../../text/visible_text.js';
import { plural } from '../../../util/format.js';

const MOST_LINKED = 400; // tokens of another tokenizer that are outlined with the one that is pointed at

/** @typedef {{lane: number, token: number}} Found */

export class PointingPanel extends Panel {
  #panes;
  #divergences;
  #isRunning;
  /** @type {import('../panes.js').CompareAnswer|null} */
  #answer = null;

  /**
   * @param {import('../panes.js').Panes} panes @param {import('./divergences.js').DivergencesPanel} divergences
   * @param {() => boolean} isRunning whether the text is being encoded
   */
  constructor(panes, divergences, isRunning) {
    super();
    this.#panes = panes;
    this.#divergences = divergences;
    this.#isRunning = isRunning;
  }

  /** @param {import('../panes.js').CompareAnswer|null} answer */
  onAnswer(answer) {
    this.#answer = answer;
  }

  /** Outlines a token: its stretch of the text, and every token of the others there. @param {Found|null} found */
  hover(found) {
    const answer = this.#answer;
    if (!found || !answer || this.#isRunning()) {
      this.#panes.mark([]);
      this.#panes.ranges = answer ? this.#divergences.ranges : [];
      this.context.status.now('');
      return;
    }
    const { tokens } = answer.lanes[found.lane];
    const from = tokens.start16.at(found.token);
    const to = tokens.end16.at(found.token);
    /** @param {import('../lanes.js').Lane} lane @returns {[number, string][]} */
    const linked = lane => lane.tokens.overlapping(from, to, MOST_LINKED).map(i => [i, 'linked']);
    this.#panes.mark(answer.lanes.map((lane, n) => new Map(n === found.lane ? [[found.token, 'on']] : linked(lane))));
    this.#panes.ranges = [...this.#divergences.ranges, { from, to, className: 'hovered' }];
    this.context.status.now(sentence(answer, found));
  }

  /** Says what a token is, and goes to the divergence that it is a part of. @param {Found} found */
  pick(found) {
    if (!this.#answer) return;
    const { lanes, divergences } = this.#answer;
    const { tokens } = lanes[found.lane];
    const number = divergences.firstEndingAfter(tokens.start16.at(found.token));
    this.context.status.announce(sentence(this.#answer, found));
    if (this.#divergences.isShown(number) && divergences.start16.at(number) < tokens.end16.at(found.token))
      this.#divergences.go(number);
  }

  /** @param {number} number of a divergence */
  goTo(number) {
    if (number >= 0 && this.#answer) this.#divergences.goToAny(number);
  }
}

/** @param {import('../panes.js').CompareAnswer} answer @param {Found} found */
function sentence({ lanes, text }, { lane, token }) {
  const { name, tokens } = lanes[lane];
  const facts = tokenFacts(tokens, token, text);
  const description = `${spokenText(facts.source)}, id ${facts.id}, ${plural(facts.bytes.length, 'byte')}`;
  return `${name}: token ${token + 1} of ${tokens.length}: ${description}`;
}
