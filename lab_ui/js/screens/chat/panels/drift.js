/** IDs that a model sampled beside those of the encoder, and the end of a prompt. */
import { AskingPanel } from '../../../app/asking_panel.js';
import { AskWhileOpen, FOLLOW_MS } from '../../../app/ask_while_open.js';
import { actionButton, all, drawnOnce, h, setText, update } from '../../../ui/dom.js';
import { field, mark, problem } from '../../../ui/form.js';
import { count } from '../../../util/format.js';
import { Seen } from '../../../util/seen.js';
import { driftAdvice, driftFacts, endWords, idsIn } from '../chat_words.js';
import { driftColumns, facesOf } from '../drift_lanes.js';
/** @import {Drift, PromptEnd} from '../../../api/schema.d.ts' */

const MOST_PLACES = 200;
const MOST_IDS = 5000;

export class DriftPanel extends AskingPanel {
  #client;
  /** @type {AskWhileOpen} */
  #ending;
  #tested = new Seen();
  #facts = h('div', { class: 'chat-figures' });
  #sampled = h('textarea', {
    id: 'sampled-ids',
    rows: 4,
    spellcheck: false,
    placeholder: '27 14172 13429 …',
    'data-role': 'sampled-ids',
    oninput: () => this.context.settings.set({ 'chat.sampled': this.#sampled.value }),
  });
  #problem = problem('sampled-problem');
  #encoded = h('div', { class: 'chat-drift-ids', role: 'group', 'aria-label': 'IDs of the encoder' });
  #lanes = h('bdi', { class: 'chat-drift-columns chat-tokens', dir: 'ltr' });
  #both = h(
    'div',
    { class: 'chat-drift-lanes', role: 'group', 'aria-label': 'Sampled above encoded', tabIndex: 0 },
    h('span', { class: 'faint chat-drift-names' }, h('span', {}, 'sampled'), h('span', {}, 'encoded')),
    this.#lanes,
  );
  #current = -1;
  #places = h('ol', { class: 'chat-drift-places', 'aria-label': 'Places that differ' });
  #why = h('div', { class: 'chat-drift-why' });
  #prompt = h('input', {
    id: 'prompt-end',
    spellcheck: false,
    dir: 'auto',
    maxLength: 1000,
    'data-role': 'prompt-end',
    oninput: () => this.context.settings.set({ 'chat.ending': this.#prompt.value }),
  });
  #end = h('div', { class: 'chat-drift-end', 'data-role': 'prompt-answer' });
  element = h(
    'div',
    { class: 'chat-drift' },
    this.#facts,
    h(
      'div',
      { class: 'chat-drift-sides' },
      field('IDs that the model sampled', this.#sampled, this.#problem),
      h('div', { class: 'field' }, h('span', {}, 'Decoded, then encoded again'), this.#encoded),
    ),
    this.#both,
    this.#why,
    this.#places,
    h('section', { class: 'chat-drift-prompt' }, field('Is the end of this prompt stable?', this.#prompt), this.#end),
  );

  /** @param {typeof import('../../../api/chat.js')} client */
  constructor(client) {
    super();
    this.#client = client;
  }

  /** @param {import('../../../app/context.js').Context} context */
  mount(context) {
    super.mount(context);
    this.#ending = new AskWhileOpen(context.activity);
  }

  /** Ends what is asked; the prompt is asked again next time. */
  stop() {
    this.asking.stop();
    this.#ending.stop();
    this.#tested.forget();
  }

  destroy() {
    this.stop();
  }

  /** Asks for both, as they are typed. @param {number} waitMs */
  ask(waitMs = FOLLOW_MS) {
    const { settings } = this.context;
    const tokenizer = settings.get('active');
    for (const [control, name] of /** @type {const} */ ([
      [this.#sampled, 'sampled'],
      [this.#prompt, 'ending'],
    ]))
      if (control.value !== settings.get(`chat.${name}`)) control.value = settings.get(`chat.${name}`);
    const ids = idsIn(this.#sampled.value);
    this.#showProblem(ids ? '' : 'Give whole numbers, with commas, spaces or brackets between them.');
    if (!tokenizer) return undefined;
    if (!ids) this.asking.stop();
    const asked = ids
      ? this.asking.ask({
          waitMs,
          ask: signal => this.#client.compareSampled(tokenizer, ids, signal),
          show: drift => this.#show(drift),
          showProblem: error => this.#showProblem([error.message, error.hint].filter(Boolean).join(': ')),
        })
      : undefined;
    const prompt = this.#prompt.value;
    if (this.#tested.again([tokenizer, prompt])) return asked;
    const tested = this.#ending.ask({
      waitMs,
      ask: signal => this.#client.promptEnd(tokenizer, prompt, signal),
      show: end => this.#showEnd(end),
      showProblem: error => {
        this.#tested.forget();
        drawnOnce(this.#end, error.message, () => [h('p', { class: 'field-problem' }, error.message)]);
      },
    });
    return Promise.all([asked, tested]);
  }

  focus() {
    this.#sampled.focus();
  }

  /** @param {string} words */
  #showProblem(words) {
    setText(this.#problem, words);
    this.#problem.hidden = !words;
    mark(this.#sampled, Boolean(words));
  }

  /** @param {Drift} drift */
  #show(drift) {
    const { places, sampled, encoded, first, reason } = drift;
    update(
      this.#facts,
      sampled.length ? driftFacts(drift) : [],
      ({ words }) => words,
      () => h('div', { class: 'chat-fact' }, h('b', { class: 'number' }), h('span', {})),
      (element, { figure, words }) => {
        element.classList.toggle('bad', words === 'is the first that drifts' || figure === 'differs');
        setText(element.firstChild, figure);
        setText(element.lastChild, words);
      },
    );
    drawnOnce(this.#encoded, [encoded, places], () => {
      let at = 0;
      const faces = encoded.slice(0, MOST_IDS).map((id, n) => {
        while (places[at]?.encoded[1] <= n) at++;
        return h('span', { class: places[at]?.encoded[0] <= n ? 'changed' : '' }, String(id));
      });
      const more = encoded.length - faces.length;
      return [...faces, more > 0 && h('span', { class: 'faint' }, `and ${count(more)} more`)];
    });
    this.#both.hidden = !sampled.length;
    drawnOnce(this.#lanes, drift, () => {
      this.#current = -1;
      return driftColumns(drift);
    });
    drawnOnce(this.#why, [first, reason, drift.other_tokenizer], () =>
      first === null
        ? []
        : [
            h('p', {}, ...(reason ? [`${reason} `] : []), h('b', {}, driftAdvice(drift))),
            actionButton('Copy the sampled IDs', () => this.#copy(sampled), { 'data-role': 'copy-sampled' }),
          ],
    );
    drawnOnce(this.#places, [places, sampled, encoded], () => [
      ...places
        .slice(0, MOST_PLACES)
        .map(({ kind, sampled: a, encoded: b }) =>
          h(
            'li',
            {},
            h('span', { class: 'faint' }, `token ${count(a[0] + 1)} · ${kind}`),
            this.#side('sampled', drift.sampled_texts, sampled, a),
            this.#side('encoded', drift.encoded_texts, encoded, b),
          ),
        ),
      places.length > MOST_PLACES && h('li', { class: 'faint' }, `and ${count(places.length - MOST_PLACES)} more`),
    ]);
  }

  /** Goes to the next place that differs, or to the one before. @param {number} by */
  jump(by) {
    const places = all(this.#lanes, '[data-place]');
    if (!places.length) return;
    places[this.#current]?.classList.remove('current');
    this.#current = this.#current < 0 ? (by > 0 ? 0 : places.length - 1) : this.#current + by;
    this.#current = (this.#current + places.length) % places.length;
    places[this.#current].classList.add('current');
    places[this.#current].scrollIntoView({ block: 'nearest' });
  }

  /** @param {string} name @param {(string|null)[]} texts @param {number[]} ids @param {number[]} range */
  #side(name, texts, ids, range) {
    return h(
      'div',
      {},
      h('span', { class: 'faint' }, name),
      h('bdi', { class: 'chat-tokens', dir: 'ltr' }, ...facesOf(texts, ids, range)),
    );
  }

  /** @param {PromptEnd} end */
  #showEnd(end) {
    const healed = end.ids.slice(0, end.stable);
    drawnOnce(this.#end, end, () => [
      ...endWords(end).map(words => h('p', {}, words)),
      end.changing > 0 &&
        actionButton('Copy the healed IDs', () => this.#copy(healed), {
          'data-role': 'copy-healed',
          'data-key': 'healed',
        }),
    ]);
  }

  /** @param {number[]} ids */
  #copy(ids) {
    this.context.activity.track(this.context.clipboard.copy(JSON.stringify(ids), 'Copied'));
  }
}
