/**
 * Library: every tokenizer the lab knows, where it comes from, what is inside, and how to bring one in or take one out.
 */
import { confirmButton } from '../../ui/confirm_button.js';
import { all, focused, h, linkify, listen } from '../../ui/dom.js';
import { findEntries } from '../../app/find_entries.js';
import { count, plural, problemWords, size } from '../../util/format.js';
import { Latest } from '../../util/latest.js';
import { listBlocks, tryRecipe } from '../../api/compose.js';
import { ComposeForm } from './compose_form.js';
import { HubField } from './hub_field.js';
import { tokenizerBadge } from '../../ui/tokenizer_badge.js';
import { Screen } from '../../app/screen.js';
import { ALL_IN_USE } from '../../app/shared_settings.js';

const STAGES = ['normalizer', 'pretokenizer', 'model', 'postprocessor', 'decoder'];
const MOST_SPECIALS = 12;

export default class LibraryScreen extends Screen {
  /** @type {import('../../app/context.js').Context} */
  #context;
  #isActive = false;
  #list = h('div', { class: 'shelves' });
  #filter = h('input', {
    type: 'search',
    placeholder: 'Find by name or family',
    'aria-label': 'Find in the Library',
    oninput: () => this.#draw(),
  });
  #hub = new HubField();
  #form = h(new ComposeForm(), { hidden: true });
  #blocks = null;
  #trial = new Latest();

  mount(root, context) {
    this.#context = context;
    const { catalog, settings, dialog } = context;
    const button = (label, properties) => h('button', { type: 'button', class: 'button framed', ...properties }, label);
    const compose = button('Compose a tokenizer…', {
      'aria-expanded': 'false',
      onclick: () => this.#openForm(compose),
    });
    root.append(
      h(
        'div',
        { class: 'library' },
        h(
          'div',
          { class: 'tools' },
          h('h1', {}, 'Library'),
          this.#filter,
          h('span', { class: 'grow' }),
          this.#hub,
          compose,
          button('Open vocabulary files…', { onclick: () => dialog.open() }),
        ),
        this.#hub.answer,
        this.#form,
        this.#list,
      ),
    );
    listen(this.#form, 'try', detail => this.#try(detail));
    listen(this.#form, 'save', detail => this.#keep(detail));
    listen(this.#hub, 'fetch', reference => this.#fetch(reference));
    listen(this.#hub, 'files', () => dialog.open());
    catalog.addEventListener('change', () => this.#redraw(), { signal: this.life });
    settings.on(['chosen'], () => this.#redraw(), this.life);
  }

  activate() {
    this.#isActive = true;
    this.#draw();
  }
  deactivate() {
    this.#isActive = false;
  }
  destroy() {
    super.destroy();
    this.#trial.stop();
  }

  get focusName() {
    return 'the search';
  }

  focusText() {
    this.#filter.focus();
  }

  /** What is being put together is kept. */
  get holdsInput() {
    return !this.#form.hidden;
  }

  #redraw() {
    if (this.#isActive) this.#draw();
  }

  #draw() {
    const held = /** @type {HTMLElement|null} */ (focused()?.closest('.shelf button'))?.dataset.action;
    const { entries } = this.#context.catalog;
    const found = findEntries(entries, this.#filter.value);
    const away = entry => !entry.available && !entry.problem;
    const shelf = (title, found) =>
      found.length
        ? h(
            'section',
            { 'aria-label': title },
            h('h2', { class: 'shelf-title' }, title),
            h(
              'ul',
              { class: 'shelf' },
              found.map(entry => this.#card(entry)),
            ),
          )
        : null;
    const top = this.#list.scrollTop;
    this.#list.replaceChildren(
      ...[
        shelf(
          'Installed',
          found.filter(entry => !away(entry)),
        ),
        shelf('Available to download', found.filter(away)),
        found.length
          ? null
          : h(
              'p',
              { class: 'dim' },
              'No tokenizer matches. Download others by their name on the Hub, or open their files.',
            ),
      ].filter(Boolean),
    );
    this.#list.scrollTop = top;
    if (this.#isActive)
      this.#context.status.note(
        `${plural(entries.filter(entry => entry.available).length, 'tokenizer')} installed, ` +
          `${count(entries.filter(away).length)} available to download`,
      );
    if (held) all(this.#list, `[data-action="${CSS.escape(held)}"]`)[0]?.focus();
  }

  async #openForm(button) {
    this.#form.hidden = !this.#form.hidden;
    button.ariaExpanded = String(!this.#form.hidden);
    if (this.#form.hidden) return;
    try {
      this.#blocks ??= await this.#context.activity.track(listBlocks());
      this.#offerBases();
    } catch (error) {
      this.#form.problem = error;
    }
  }

  #offerBases() {
    this.#form.start(
      this.#context.catalog.entries.filter(entry => entry.available && entry.source !== 'plug-in'),
      this.#blocks,
    );
  }

  async #try({ recipe, text }) {
    try {
      const result = await this.#context.activity.track(this.#trial.run(signal => tryRecipe(recipe, text, signal)));
      if (result) this.#form.result = { ...result, text };
    } catch (error) {
      this.#form.problem = error;
    }
  }

  async #keep({ recipe, id }) {
    try {
      await this.#context.activity.track(this.#context.catalog.compose(recipe, id));
      this.#offerBases();
    } catch (error) {
      this.#form.problem = error;
    }
  }

  async #fetch(reference) {
    this.#hub.busy = true;
    try {
      if (await this.#context.catalog.fetchFromHub(reference)) this.#hub.clear();
    } catch (error) {
      this.#hub.problem = error;
    }
    this.#hub.busy = false;
  }

  #card(entry) {
    const { catalog } = this.#context;
    const used = catalog.chosen.includes(entry.id);
    const digest = entry.sha256 && [
      'sha256',
      h('span', { class: 'mono', title: entry.sha256 }, `${entry.sha256.slice(0, 16)}…`),
    ];
    const source = [entry.available || entry.problem ? entry.source : 'not downloaded', entry.origin]
      .filter(Boolean)
      .join(': ');
    const facts = [
      ['id', h('span', { class: 'mono' }, entry.id)],
      ['family', entry.family ?? '–'],
      ['source', source],
      entry.revision && ['revision', h('span', { class: 'mono', title: entry.revision }, entry.revision.slice(0, 12))],
      ['licence', entry.licence ?? 'not stated'],
      entry.checked !== null && [
        'checked',
        entry.checked
          ? 'ids compared with the reference library'
          : 'no: facts and ids were not compared with any source',
      ],
      entry.size_bytes && ['size', size(entry.size_bytes)],
      digest,
      // What only loading it tells.
      entry.vocab_size && ['vocabulary', `${count(entry.vocab_size)} tokens`],
      entry.stages && ['special tokens', specials(entry.special_tokens)],
      entry.stages && [
        'stages',
        h(
          'span',
          {},
          STAGES.filter(stage => entry.stages[stage] !== 'none')
            .map(stage => entry.stages[stage])
            .join(' → '),
        ),
      ],
      entry.lossy && ['decoding', `may change the text: ${entry.lossy}`],
      entry.ignored_fields.length > 0 && [
        'ignored fields',
        h('span', { class: 'mono' }, entry.ignored_fields.map(({ place, value }) => `${place} = ${value}`).join(', ')),
      ],
    ].filter(Boolean);
    return h(
      'li',
      { class: 'volume', 'data-tokenizer': entry.id },
      h(
        'div',
        { class: 'volume-head' },
        used ? tokenizerBadge(catalog.letterOf(entry.id)) : h('span', { class: 'no-badge' }),
        h('h2', {}, entry.name),
        h('span', { class: 'grow' }),
        ...this.#actions(entry, used),
      ),
      entry.needs ? h('p', { class: entry.gated ? 'needs gated' : 'needs dim' }, linkify(entry.needs)) : null,
      entry.problem ? h('p', { class: 'warning' }, problemWords(entry.problem)) : null,
      h('dl', {}, ...facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
    );
  }

  #actions(entry, used) {
    const { catalog, dialog } = this.#context;
    const button = (words, act, disabled = false, title = null) =>
      h(
        'button',
        {
          type: 'button',
          class: 'button framed',
          disabled,
          title,
          'data-action': `${words} ${entry.id}`,
          'aria-label': `${words} ${entry.name}`,
          onclick: act,
        },
        words,
      );
    if (entry.problem && ['added', 'composed', 'downloaded'].includes(entry.source) && entry.sha256)
      return [button('Delete', () => dialog.delete(entry.id))];
    if (entry.problem) return [];
    if (!entry.available)
      return catalog.fetching.includes(entry.id)
        ? [h('span', { class: 'dim' }, 'Fetching…')]
        : [button('Download', () => dialog.fetch(entry.id))];
    const actions = [
      used
        ? button('Stop using', () => catalog.remove(entry.id), catalog.chosen.length === 1)
        : button('Use', () => catalog.add(entry.id), catalog.isFull, catalog.isFull ? ALL_IN_USE : null),
    ];
    if (!['built in', 'plug-in'].includes(entry.source))
      actions.push(confirmButton({ label: 'Delete', name: entry.name, act: () => dialog.delete(entry.id) }));
    return actions;
  }
}

function specials(tokens) {
  if (!tokens.length) return 'none';
  return h(
    'span',
    {},
    ...tokens
      .slice(0, MOST_SPECIALS)
      .map(({ text, id }) =>
        h(
          'span',
          { class: 'special-token' },
          h('bdi', { class: 'mono' }, text),
          ' ',
          h('span', { class: 'faint number' }, String(id)),
        ),
      ),
    tokens.length > MOST_SPECIALS ? `and ${count(tokens.length - MOST_SPECIALS)} more` : null,
  );
}
