/**
 * What the engine says of the chosen token: why it starts or ends where it does, how it was built. Asked for when it is
 * opened; while it is open, it follows the token.
 */
import { LONGEST_TRACED, explain } from '../../../api/explain.js';
import { vocabularyToken } from '../../../api/vocabulary.js';
import { AskWhileOpen, FOLLOW_MS } from '../../../app/ask_while_open.js';
import { encodingLesson, tokenLink } from '../../../app/lesson_link.js';
import { AskingPanel } from '../../../app/asking_panel.js';
import { BoundaryReason } from '../boundary_reason.js';
import { untracedWords } from '../untraced.js';
import { TokenOrigin, lastMerge, originNodes } from '../../../ui/tokens/token_origin.js';
import { idsOf } from '../../../text/boundary_facts.js';
import { h, listen } from '../../../ui/dom.js';
import { count } from '../../../util/format.js';
import { byteLength, boundariesOf, sameBoundaries, unitsAt, windowAround } from '../../../text/text_window.js';
import { ADDED } from '../../../text/token_spans.js';

const PART = 4000; // UTF-16 units of a text that is too long to be traced

/**
 * @typedef {import('../selection.js').InspectAnswer} InspectAnswer
 * @typedef {import('../boundary_reason.js').Side} Side
 */

export class ExplainPanel extends AskingPanel {
  #reason = new BoundaryReason();
  #origin = new TokenOrigin();
  /** @type {Side|null} */
  #side = null;
  /** @type {InspectAnswer|null} */
  #answer = null;
  /** The answer of the token that is shown. @type {InspectAnswer|null} */
  #shownOf = null;
  #token = -1;
  /** @type {AskWhileOpen} */
  #building;
  /** What of the text was traced. @type {ReturnType<typeof windowAround>|null} */
  #window = null;
  #focusText;
  elements = [this.#reason, this.#origin];

  /** @param {() => void} focusText puts the keyboard into the text */
  constructor(focusText) {
    super();
    this.#focusText = focusText;
  }

  /** @param {import('../../../app/context.js').Context} context */
  mount(context) {
    super.mount(context);
    this.#building = new AskWhileOpen(context.activity);
    listen(this.#reason, 'ask', side => this.ask(side));
    listen(this.#reason, 'tryedit', edit => this.#try(edit));
    listen(this.#reason, 'watch', () => this.#watch());
    listen(this.#origin, 'toggleorigin', () => this.#drawOrigin(0));
    listen(this.#origin, 'opentoken', id => context.router.go('vocabulary', { q: String(id), mode: 'ids' }));
    this.#draw(FOLLOW_MS);
  }

  /** @param {InspectAnswer|null} answer */
  onAnswer(answer) {
    this.#answer = answer;
  }

  /** @param {number} token */
  onSelection(token) {
    const answer = token < 0 ? null : this.#answer;
    if (answer === this.#shownOf && token === this.#token) return;
    this.#shownOf = answer;
    this.#token = token;
    this.#draw(FOLLOW_MS);
  }

  destroy() {
    super.destroy();
    this.#building?.stop();
  }

  /** @param {Side|null} side of the token */
  ask(side) {
    this.#side = side;
    return this.#drawReason(0);
  }

  /** @param {number} waitMs */
  #draw(waitMs) {
    this.#drawReason(waitMs);
    this.#drawOrigin(waitMs);
  }

  /** @param {number} waitMs */
  #drawReason(waitMs) {
    const answer = this.#shownOf;
    const side = this.#side;
    this.#reason.hidden = !answer;
    this.#reason.canWatch = Boolean(answer && this.#lessonOf(answer) && !this.#untraced(answer));
    this.asking.stop();
    if (!answer || !side) {
      this.#reason.show(null, { state: 'closed' });
      return null;
    }
    const untraced = this.#untraced(answer);
    if (untraced) {
      this.#reason.show(side, { state: 'untraced', text: untraced });
      return null;
    }
    this.#reason.show(side, { state: 'asking' });
    return this.asking.ask({
      waitMs,
      ask: signal => this.#explain(answer, this.#token, side, signal),
      show: found => {
        this.#reason.show(side, found);
        if (waitMs) return;
        this.#reason.scrollIntoView({ block: 'nearest' });
        this.context.status.announce(
          found.state === 'explained' ? found.place.reason : 'text' in found ? found.text : '',
        );
      },
      showProblem: ({ message, hint }) => this.#reason.show(side, { state: 'problem', message, hint }),
    });
  }

  /** @param {InspectAnswer} answer @returns {string|undefined} the name of the lesson on its model */
  #lessonOf({ tokenizer }) {
    return encodingLesson(this.context.catalog.entry(tokenizer));
  }

  /** Opens the lesson at the step that makes the token. */
  #watch() {
    const answer = this.#shownOf;
    const lesson = answer && this.#lessonOf(answer);
    if (!lesson) return;
    const { tokenizer, text, tokens } = answer;
    this.context.router.go('learn', tokenLink(lesson, tokenizer, text, tokens, this.#token));
  }

  /** @param {InspectAnswer} answer @returns {string} why nothing can be asked, '' where it can */
  #untraced({ tokenizer, tokens }) {
    if (tokens.has(this.#token, ADDED)) return 'Added by the postprocessor; it does not correspond to any text.';
    return untracedWords(this.context.catalog.entry(tokenizer));
  }

  /**
   * @param {InspectAnswer} answer @param {number} token @param {Side} side @param {AbortSignal} signal
   * @returns {Promise<import('../boundary_reason.js').Reason>}
   */
  async #explain({ tokenizer, tokens, text, result }, token, side, signal) {
    const anchor = tokens.anchor(token);
    const part = windowAround(text, anchor.utf16, text.length > LONGEST_TRACED ? PART : LONGEST_TRACED);
    this.#window = part;
    const base = anchor.utf8 - byteLength(text.slice(part.from, anchor.utf16));
    const at = (side === 'start' ? tokens.start8 : tokens.end8).at(token) - base;
    const length = byteLength(part.text);
    if (at < 0 || at > length)
      return {
        state: 'untraced',
        text: `Not traced: the token is longer than the ${count(PART)} characters that are looked into.`,
      };
    // Before the answer comes: tokens of a long text change in place.
    const real = part.whole
      ? []
      : boundariesOf(
          tokens.overlapping(part.from, part.to).map(i => [tokens.start8.at(i) - base, tokens.end8.at(i) - base]),
          0,
          length,
        );
    const {
      boundaries,
      places: [place],
    } = await explain(tokenizer, part.text, at, this.context.settings.get('specials'), signal);
    if (
      !part.whole &&
      !sameBoundaries(boundaries, real, at, length, {
        atStart: part.from === 0,
        atEnd: base + length === result.text_bytes,
      })
    ) {
      return {
        state: 'untraced',
        text:
          `Not traced: a text of more than ${count(LONGEST_TRACED)} characters is traced in parts, and the part ` +
          'around this token is tokenized differently from the full text.',
      };
    }
    await this.context.vocabulary.entries(tokenizer, idsOf(place));
    const note = part.whole
      ? ''
      : `Traced in the ${count(part.text.length)} characters around it, which have the same boundaries as in the ` +
        `whole text; longer texts than ${count(LONGEST_TRACED)} characters are traced in parts.`;
    return { state: 'explained', place, part: note, entryOf: id => this.context.vocabulary.known(tokenizer, id) };
  }

  /**
   * Edits the text as proposed, unless it is another by now.
   * @param {import('../../../api/schema.d.ts').RemovingEdit} edit
   */
  #try({ span_utf8: span, by }) {
    const { session } = this.context;
    const part = this.#window;
    if (!part || session.doc.sliceString(part.from, Math.min(part.to, session.length)) !== part.text) return;
    const from = part.from + unitsAt(part.text, span[0]);
    const to = part.from + unitsAt(part.text, span[1]);
    session.edit({ from, to, insert: by });
    this.#focusText();
  }

  /** @param {number} waitMs */
  #drawOrigin(waitMs) {
    const answer = this.#shownOf;
    const id = answer ? answer.tokens.ids.at(this.#token) : null;
    this.#building.stop();
    if (!answer || id === null || !this.#origin.open) {
      this.#origin.show(id, []);
      return;
    }
    const { tokenizer, tokens } = answer;
    const before = this.#token > 0 && !tokens.has(this.#token - 1, ADDED) ? tokens.ids.at(this.#token - 1) : null;
    const model = this.context.catalog.entry(tokenizer)?.stages?.model ?? '';
    this.#origin.show(id, [h('p', { class: 'dim' }, 'Loading…')]);
    this.#building.ask({
      waitMs,
      ask: async signal => {
        const own = await vocabularyToken(tokenizer, id, signal);
        const other = before === null ? null : await vocabularyToken(tokenizer, before, signal);
        return [...originNodes(own, model), ...(other ? lastMerge('before it', other) : [])];
      },
      show: nodes => this.#origin.show(id, nodes),
      showProblem: ({ message, hint }) =>
        this.#origin.show(id, [
          h('p', { class: 'warning' }, message),
          ...(hint ? [h('p', { class: 'dim' }, hint)] : []),
        ]),
    });
  }
}
