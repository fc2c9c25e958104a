/** The other views of the tokens: a table, the bytes, the IDs. Only the one that is shown is kept up to date. */
import { decode } from '../../../api/encoding.js';
import { Panel } from '../../../app/panel.js';
import { NO_TOKENS, UNKNOWN } from '../../../text/token_spans.js';
import { nextWith, specialName } from '../../../text/unknown_tokens.js';
import { listen } from '../../../ui/dom.js';
import { Latest } from '../../../util/latest.js';
import { ByteView } from '../byte_view.js';
import { IdView } from '../id_view.js';
import { learn } from '../../../app/tokenizers/learn.js';
import { TokenTable } from '../token_table.js';

export class ListsPanel extends Panel {
  #choose;
  /** @type {import('../selection.js').InspectAnswer|null} */
  #answer = null;
  #token = -1;
  #views = { table: new TokenTable(), bytes: new ByteView(), ids: new IdView() };
  #decoding = new Latest();
  /** The list that a token is chosen in, which shows it already. @type {HTMLElement|null} */
  #source = null;

  /** @param {(token: number) => void} choose a token was chosen */
  constructor(choose) {
    super();
    this.#choose = choose;
  }

  get elements() {
    return Object.values(this.#views);
  }

  /** @param {import('../../../app/context.js').Context} context */
  mount(context) {
    super.mount(context);
    const { table, bytes, ids } = this.#views;
    table.start({
      entryOf: id => context.vocabulary.known(this.#answer?.tokenizer ?? '', id),
      want: async wanted => this.#answer !== null && learn(context, this.#answer.tokenizer, wanted),
    });
    for (const list of [table, bytes]) listen(list, 'choose', token => this.#onChoose(token, list));
    listen(ids, 'decode', wanted => this.#decode(wanted));
    listen(ids, 'copyids', async ({ text, message }) =>
      context.status.now(await context.clipboard.copy(text, message)),
    );
    listen(ids, 'usetext', text => {
      context.session.setText(text);
      context.settings.set({ 'inspect.view': 'text' });
    });
    this.#draw();
  }

  /** @param {import('../selection.js').InspectAnswer|null} answer @param {boolean} isSettled */
  onAnswer(answer, isSettled) {
    this.#answer = answer;
    if (isSettled) this.#draw();
  }

  /** @param {number} token */
  onSelection(token) {
    this.#token = token;
    const shown = this.#shown;
    if (token >= 0 && shown !== this.#source && shown && 'chosen' in shown) shown.chosen = token;
  }

  /** @param {Set<string>} changed */
  onState(changed) {
    if (!changed.has('inspect.view')) return;
    this.#draw();
    const shown = this.#shown;
    if (shown && 'chosen' in shown) shown.chosen = this.#token;
  }

  /** Whether IDs were typed that are nowhere else. */
  get holdsInput() {
    return this.#views.ids.holdsInput;
  }

  destroy() {
    this.#answer = null;
    this.#decoding.stop();
  }

  get #shown() {
    /** @type {'table'|'bytes'|'ids'|'text'} */
    const view = this.context.settings.get('inspect.view');
    return view === 'text' ? null : this.#views[view];
  }

  #draw() {
    const { tokens = NO_TOKENS, text = '' } = this.#answer ?? {};
    const shown = this.#shown;
    for (const view of this.elements) view.hidden = view !== shown;
    if (shown instanceof IdView) shown.show(tokens.ids.all(), this.#unknown());
    else shown?.show(tokens, String(text));
  }

  /** The unknown token of the text, null if there is none. */
  #unknown() {
    if (!this.#answer) return null;
    const { tokens, tokenizer, result } = this.#answer;
    const token = result.unknown_count ? nextWith(tokens, UNKNOWN, -1) : -1;
    if (token < 0) return null;
    const id = tokens.ids.at(token);
    return { id, times: result.unknown_count, name: specialName(this.context.catalog.entry(tokenizer), id) ?? '' };
  }

  /** @param {number} token @param {HTMLElement} list */
  #onChoose(token, list) {
    this.#source = list;
    this.#choose(token);
    this.#source = null;
  }

  /** @param {number[]|null} ids */
  async #decode(ids) {
    const active = this.context.settings.get('active');
    if (!ids || !active) {
      this.#decoding.stop();
      return;
    }
    const view = this.#views.ids;
    try {
      const answer = await this.#decoding.run(signal => decode(active, ids, signal));
      if (answer) view.decoded = answer;
    } catch (error) {
      view.decoded = /** @type {Error & {hint?: string}} */ (error);
    }
  }
}
