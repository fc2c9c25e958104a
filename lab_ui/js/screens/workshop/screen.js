/** Workshop: a tokenizer is changed by a recipe of edits; what each does to a text, a corpus, the vocabulary. */
import { listKinds, readRecipe } from '../../api/edits.js';
import { listCorpora } from '../../api/corpora.js';
import { keyWords } from '../../app/commands/command.js';
import { EncodedScreen, PLACEHOLDER } from '../../app/encoded_screen.js';
import { followPanelSettings, panelCommand } from '../../app/panel_settings.js';
import { SampleChips } from '../../app/sample_chips.js';
import { Spellings } from '../../app/tokenizers/spellings.js';
import { lanesLayout } from '../../editor/row_layout.js';
import { h, listen } from '../../ui/dom.js';
import { select } from '../../ui/form.js';
import { SidePanel } from '../../ui/side_panel.js';
import { TabList } from '../../ui/tab_list.js';
import { plural } from '../../util/format.js';
import { Draft } from './draft.js';
import { EditForm } from './edit_form.js';
import { progressWords } from './edit_words.js';
import { lanesOf, lettersOf } from './lanes.js';
import { ChangedPanel, DocumentsPanel } from './panels/changed.js';
import { ChecksPanel } from './panels/checks.js';
import { FactsPanel } from './panels/facts.js';
import { HandOver } from './panels/hand_over.js';
import { RecipePanel } from './panels/recipe.js';
import { Recipe } from './recipe.js';
/** @import {EditKind} from '../../api/schema.d.ts' */
/** @typedef {import('../../api/edits.js').Edit} Edit */

const MOST_CHARACTERS = 10_000; // of a text that every edit is tried on

export default class WorkshopScreen extends EncodedScreen {
  #recipe = new Recipe();
  #draft = new Draft(() => this.#draw());
  /** By name in recipes. @type {Object<string, EditKind>|null} */
  #kinds = null;
  /** Of the text, under the base and the draft. @type {import('../../text/figures.js').Result[]} */
  #results = [];
  /** What the status line says of the work that is under way. */
  #progress = '';

  #facts = new FactsPanel();
  #checks = new ChecksPanel(() => this.#try(() => this.#draft.prove()));
  #changed = new ChangedPanel();
  #documents = new DocumentsPanel();
  #form = new EditForm();
  #samples = new SampleChips();
  /** @type {Spellings} */
  #spellings;
  #side = new SidePanel();
  #tabs = new TabList();
  /** @type {HandOver} */
  #handOver;
  #corpus = select('corpus', () => this.#try(() => this.#draft.measure(this.#corpus.value)));
  #list = new RecipePanel({
    undo: () => this.#step(() => this.#recipe.undo()),
    redo: () => this.#step(() => this.#recipe.redo()),
    add: kind => this.#write(this.#recipe.edits.length, { kind }),
    open: at => this.#write(at, this.#recipe.edits[at]),
    turn: (at, on) => this.#step(() => this.#recipe.turn(at, on)),
    move: (from, to) => this.#step(() => this.#recipe.move(from, to)),
    remove: at => this.#step(() => this.#recipe.remove(at)),
    save: () => this.#try(() => this.#handOver.saveRecipe()),
    read: file => this.#try(() => this.#readRecipe(file)),
  });

  /** @param {HTMLElement} root @param {import('../../app/context.js').Context} context */
  mount(root, context) {
    super.mount(root, context);
    this.#spellings = new Spellings(context, () => this.text.respell());
    this.#handOver = new HandOver(context, this.#draft, work => this.#try(work));
    root.append(
      h(
        'div',
        { class: 'workshop' },
        this.#facts.element,
        h(
          'div',
          { class: 'tools' },
          h('span', { 'aria-hidden': 'true' }, 'Measure on'),
          this.#corpus,
          h('span', { class: 'grow' }),
          this.#handOver.element,
        ),
        this.#list.element,
        h('div', { class: 'workshop-text' }, this.#samples, this.text),
        this.#checks.element,
        this.#side,
        this.#form,
      ),
    );
    this.#corpus.ariaLabel = 'Measure on';
    this.#side.label = 'What changed';
    this.#side.body.append(this.#tabs, this.#changed.element, this.#documents.element);
    listen(this.#form, 'edit', ({ at, edit }) => this.#step(() => this.#recipe.put(at, edit)));
    this.#draw();
  }

  start() {
    const { session, settings, nonce } = this.context;
    this.text.start({
      kind: 'lanes',
      nonce,
      label: 'Text, before and after',
      placeholder: PLACEHOLDER,
      session,
      name: 'workshop',
      rows: lanes => lanesLayout(lanes),
    });
    this.#samples.prompt = 'One text, before and after. Type, or try:';
    this.#samples.start(this.context, this.life);
    this.#tabs.tabs = [
      { value: 'changed', label: 'What changed', panel: this.#changed.element },
      { value: 'documents', label: 'Documents', panel: this.#documents.element },
    ];
    followPanelSettings(this.#side, 'workshop', settings, this.life);
  }

  onShow() {
    this.#adopt();
    const { base, done, measured } = this.#draft;
    if (base && !done && !this.#draft.isBusy) this.renew();
    else if (done && !measured && this.#corpus.value) this.#try(() => this.#draft.measure(this.#corpus.value));
    this.#try(() => this.#load());
    this.context.status.note('Edits are a recipe: the files of the tokenizer stay as they are');
  }

  deactivate() {
    super.deactivate();
    if (this.#draft.stop()) this.#forget();
  }

  destroy() {
    super.destroy();
    this.#spellings.destroy();
    this.#draft.stop();
  }

  get followsActive() {
    return true;
  }

  get holdsInput() {
    return this.#recipe.edits.length > 0;
  }

  /** @returns {import('../../app/commands/command.js').Command[]} */
  get commands() {
    return [
      { label: 'Undo the last edit', keys: ['u'], run: () => this.#step(() => this.#recipe.undo()) },
      { label: 'Redo the edit', keys: ['U'], run: () => this.#step(() => this.#recipe.redo()) },
      ...Object.entries(this.#kinds ?? {}).map(([kind, { name, words }]) => ({
        label: `Edit: ${name}`,
        also: words,
        run: () => this.#write(this.#recipe.edits.length, { kind }),
      })),
      { label: 'Save the recipe', run: () => this.#try(() => this.#handOver.saveRecipe()) },
      { label: 'Prove reachability', also: 'check audit', run: () => this.#try(() => this.#draft.prove()) },
      panelCommand(this.context.settings),
    ];
  }

  /** Esc: ends the work that is under way. What the edits do is not known then. */
  stop() {
    if (!this.#draft.stop()) return super.stop();
    if (this.#draft.done?.steps.length !== this.#recipe.edits.length) this.#forget();
    this.#progress = '';
    this.context.status.progress(`Stopped. Change an edit, or press ${keyWords('Mod+Enter')}, to go on.`);
    return true;
  }

  wanted() {
    const { base, done } = this.#draft;
    if (!base) return null;
    const draft = done && this.#recipe.edits.length ? [done.draft] : [];
    const wanted = this.wantedOf([base, ...draft], draft.length > 0);
    return { ...wanted, options: { ...wanted.options, ignoreSpaces: draft.length ? false : null } };
  }

  /** @param {import('../../text/session_types.js').Answer} answer */
  lanes(answer) {
    return lanesOf(answer, this.#spellings, lettersOf(this.context.catalog, this.#draft.base));
  }

  /** @param {import('../../text/session_types.js').Answer|null} answer @param {boolean} isSettled */
  onAnswer(answer, isSettled) {
    this.#results = answer?.results ?? [];
    this.#showFigures();
    if (answer && isSettled) this.showFacts(String(answer.text), answer.results[0]);
  }

  /** @param {Set<string>} changed */
  onState(changed) {
    if (this.isActive && (changed.has('active') || changed.has('entries'))) this.#adopt();
  }

  /** Takes over the tokenizer that is chosen in the bar as the base. */
  #adopt() {
    const active = this.context.settings.get('active');
    if (!active || active === this.#draft.base) return;
    this.#draft.base = active;
    this.#forget();
    this.renew();
  }

  /** Shows the base alone: what the recipe does is not known. */
  #forget() {
    this.#draft.forget();
    this.encoding.want(this.wanted());
  }

  async #load() {
    if (this.#kinds) return;
    const [{ kinds }, corpora] = await Promise.all([listKinds(), listCorpora()]);
    this.#kinds = this.#list.kinds = kinds;
    const named = corpora.map(({ id, title }) => ({ id, name: title }));
    this.#form.choices.corpus = named;
    this.#corpus.replaceChildren(
      h('option', { value: '' }, 'this text'),
      ...named.map(({ id, name }) => h('option', { value: id }, name)),
    );
    this.#draw();
  }

  /** @param {number} at @param {Edit} edit */
  #write(at, edit) {
    this.#try(async () => {
      await this.#load();
      const kind = this.#kinds?.[edit.kind];
      if (kind) this.#open(at, edit, kind);
    });
  }

  /** @param {number} at @param {Edit} edit @param {EditKind} kind */
  #open(at, edit, kind) {
    this.#form.choices.tokenizer = this.context.catalog.entries
      .filter(entry => entry.available && entry.source !== 'plug-in')
      .map(({ id, name }) => ({ id, name }));
    if (Object.keys(kind.options).length) this.#form.open(kind, edit, at);
    else if (at === this.#recipe.edits.length) this.#step(() => this.#recipe.put(at, edit));
  }

  /** Changes the recipe, and asks what it does. @param {() => void} change */
  #step(change) {
    change();
    this.renew();
  }

  /** Asks what the recipe does; the old figures stay until it is known. */
  renew() {
    this.#draft.edits = this.#recipe.edits;
    this.#try(async () => {
      const { doc } = this.context.session;
      const done = await this.#draft.renew(doc.length < MOST_CHARACTERS ? doc.toString() : '');
      this.encoding.want(this.wanted());
      if (!done) return;
      this.context.status.announce(
        done.problem
          ? `Edit ${done.problem.number} was refused`
          : `${plural(done.added_count, 'token')} added, ${plural(done.removed_count, 'token')} removed`,
      );
      await this.#draft.measure(this.#corpus.value);
    });
  }

  /** @param {File} file */
  async #readRecipe(file) {
    const read = await readRecipe(await file.text());
    this.#step(() => this.#recipe.replace(/** @type {Edit[]} */ (read.edits)));
  }

  #draw() {
    const { edits, canUndo, canRedo } = this.#recipe;
    const { base, done, measured, proofs, progress } = this.#draft;
    const { catalog, status } = this.context;
    const [name, letters] = [catalog.nameOf(base), lettersOf(catalog, base)];
    this.#list.show({ edits, done, name, letters, progress, canUndo, canRedo });
    this.#checks.show([...(done && edits.length ? done.checks : []), ...proofs], edits.length > 0);
    this.#checks.measure(measured);
    this.#changed.show(done);
    this.#documents.show(measured);
    this.#showFigures();
    const words = progress ? progressWords(progress, this.#nameOf(progress.edit)) : '';
    if (words !== this.#progress && this.isActive) status.progress(words);
    this.#progress = words;
  }

  /** @param {number|null} edit its number */
  #nameOf(edit) {
    return this.#kinds?.[this.#recipe.edits[(edit ?? 0) - 1]?.kind]?.name;
  }

  #showFigures() {
    const { done, measured } = this.#draft;
    this.#facts.show({ done, measured, results: this.#results });
  }

  /** Runs something and shows its error. @param {() => Promise<void>} work */
  #try(work) {
    return this.track?.(work());
  }
}
