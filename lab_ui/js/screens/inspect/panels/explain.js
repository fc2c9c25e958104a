/**
 * What is asked of the engine about the chosen token: why it starts or ends where it does, how it was built. Asked when
 * it is opened; while it is open, it follows the token.
 */
import { LONGEST_TRACED, explain } from '../../../api/explain.js';
import { vocabularyToken } from '../../../api/vocabulary.js';
import { CutReason } from '../boundary_reason.js';
import { TokenOrigin, lastMerge, originNodes } from '../../../ui/token_origin.js';
import { idsOf } from '../../../text/boundary_facts.js';
import { h, listen } from '../../../ui/dom.js';
import { count } from '../../../util/format.js';
import { Latest } from '../../../util/latest.js';
import { byteLength, cutsOf, sameCuts, unitsAt, windowAround } from '../../../text/text_window.js';
import { delay } from '../../../text/timing.js';
import { ADDED } from '../../../text/token_spans.js';

const FOLLOW_MS = 150;
const PART = 4000; // UTF-16 units of a text that is too long to be traced

export class Inquiry {
  #lab;
  #text;
  #reason = new CutReason();
  #origin = new TokenOrigin();
  #side = null;
  #answer = null;
  #token = -1;
  #asking = new Latest();
  #building = new Latest();
  #window = null;

  /**
   * @param {import('../../../app/text_screen_host.js').TextHost} lab
   * @param {import('../../../editor/token_text.js').TokenText} text
   */
  constructor(lab, text) {
    this.#lab = lab;
    this.#text = text;
    this.elements = [this.#reason, this.#origin];
  }

  start() {
    listen(this.#reason, 'ask', side => this.ask(side));
    listen(this.#reason, 'tryedit', edit => this.#try(edit));
    listen(this.#origin, 'toggleorigin', () => this.#drawOrigin(0));
    listen(this.#origin, 'opentoken', id => {
      this.#lab.go('vocabulary', { q: String(id), mode: 'ids' });
    });
    this.show(null, -1);
  }

  /** @param {Object|null} answer what Inspect shows @param {number} token of it; less than 0: none */
  show(answer, token) {
    if (answer?.tokens === this.#answer?.tokens && answer?.result === this.#answer?.result && token === this.#token)
      return;
    this.#answer = token < 0 ? null : answer;
    this.#token = token;
    this.#drawReason(FOLLOW_MS);
    this.#drawOrigin(FOLLOW_MS);
  }

  /** @param {'start'|'end'|null} side of the token */
  ask(side) {
    this.#side = side;
    return this.#drawReason(0);
  }

  #drawReason(wait) {
    const answer = this.#answer;
    const side = this.#side;
    this.#reason.hidden = !answer;
    this.#asking.stop();
    if (!answer || !side) {
      this.#reason.show(null, { state: 'closed' });
      return null;
    }
    const untraced = this.#untraced();
    if (untraced) {
      this.#reason.show(side, { state: 'untraced', words: untraced });
      return null;
    }
    this.#reason.show(side, { state: 'asking' });
    return this.#lab.activity.track(
      this.#asking
        .run(async signal => {
          if (wait) await delay(wait, signal);
          return this.#explain(answer, this.#token, side, signal);
        })
        .then(
          told => {
            if (!told) return;
            this.#reason.show(side, told);
            if (wait) return;
            this.#reason.scrollIntoView({ block: 'nearest' });
            this.#lab.announce(
              told.state === 'told' ? told.place.summary : told.state === 'untraced' ? told.words : '',
            );
          },
          error => this.#reason.show(side, { state: 'problem', message: error.message, hint: error.hint }),
        ),
    );
  }

  /** @returns {string} why nothing can be asked, '' where it can */
  #untraced() {
    const { tokenizer, tokens } = this.#answer;
    if (tokens.has(this.#token, ADDED)) return 'Added by the postprocessor; it does not correspond to any text.';
    if (this.#lab.state.entry(tokenizer)?.source === 'plug-in')
      return 'Not traced: only the lab’s own engine tells what its stages do, and this tokenizer is a plug-in.';
    return '';
  }

  /** @returns {Promise<import('../boundary_reason.js').Reason>} */
  async #explain({ tokenizer, tokens, text, result }, token, side, signal) {
    const anchor = tokens.anchor(token);
    const part = (this.#window = windowAround(
      text,
      anchor.utf16,
      text.length > LONGEST_TRACED ? PART : LONGEST_TRACED,
    ));
    const base = anchor.utf8 - byteLength(text.slice(part.from, anchor.utf16));
    const at = (side === 'start' ? tokens.start8 : tokens.end8).at(token) - base;
    const length = byteLength(part.text);
    if (at < 0 || at > length)
      return {
        state: 'untraced',
        words: `Not traced: the token is longer than the ${count(PART)} characters that are looked into.`,
      };
    // Before the answer comes: tokens of a long text change in place.
    const real = part.whole
      ? []
      : cutsOf(
          tokens.overlapping(part.from, part.to).map(i => [tokens.start8.at(i) - base, tokens.end8.at(i) - base]),
          0,
          length,
        );
    const {
      boundaries,
      places: [place],
    } = await explain(tokenizer, part.text, at, this.#lab.state.specials, signal);
    if (
      !part.whole &&
      !sameCuts(boundaries, real, at, length, { atStart: part.from === 0, atEnd: base + length === result.text_bytes })
    ) {
      return {
        state: 'untraced',
        words: `Not traced: a text of more than ${count(LONGEST_TRACED)} characters is traced in parts, and the part around this token is tokenized differently from the full text.`,
      };
    }
    await this.#lab.vocabulary.entries(tokenizer, idsOf(place));
    const words = part.whole
      ? ''
      : `Traced in the ${count(part.text.length)} characters around it, which have the same boundaries as in the whole text; longer texts than ${count(LONGEST_TRACED)} characters are traced in parts.`;
    return { state: 'told', place, part: words, entryOf: id => this.#lab.vocabulary.known(tokenizer, id) };
  }

  /** Edits the text as proposed, unless it is another by now. */
  #try({ span_utf8: span, by }) {
    const { view } = this.#text;
    const part = this.#window;
    const from = part.from + unitsAt(part.text, span[0]);
    const to = part.from + unitsAt(part.text, span[1]);
    if (this.#text.slice(part.from, part.to) !== part.text) return;
    view.dispatch({
      changes: { from, to, insert: by },
      selection: { anchor: from },
      scrollIntoView: true,
      userEvent: 'input',
    });
    this.#text.focusText();
  }

  #drawOrigin(wait) {
    const answer = this.#answer;
    const id = answer ? answer.tokens.ids.at(this.#token) : null;
    this.#building.stop();
    if (id === null || !this.#origin.open) {
      this.#origin.show(id, []);
      return;
    }
    const { tokenizer, tokens } = answer;
    const before = this.#token > 0 && !tokens.has(this.#token - 1, ADDED) ? tokens.ids.at(this.#token - 1) : null;
    const model = this.#lab.state.entry(tokenizer)?.stages?.model ?? '';
    this.#lab.activity.track(
      this.#building
        .run(async signal => {
          if (wait) await delay(wait, signal);
          const own = await vocabularyToken(tokenizer, id, signal);
          const other = before === null ? null : await vocabularyToken(tokenizer, before, signal);
          return [...originNodes(own, model), ...(other ? lastMerge('before it', other) : [])];
        })
        .then(
          nodes => {
            if (nodes) this.#origin.show(id, nodes);
          },
          error =>
            this.#origin.show(
              id,
              [
                h('p', { class: 'warning' }, error.message),
                error.hint ? h('p', { class: 'dim' }, error.hint) : null,
              ].filter(Boolean),
            ),
        ),
    );
  }
}
