/** Workshop: a tokenizer is changed by a recipe of edits; what each does to a text, a corpus, the vocabulary. */
import * as edits from '../../api/edits.js';
import { listCorpora } from '../../api/corpora.js';
import { EncodedScreen, PLACEHOLDER } from '../../app/encoded_screen.js';
import { saveFile } from '../../app/files/files.js';
import { followPanelSettings, panelCommand } from '../../app/panel_settings.js';
import { SampleChips } from '../../app/sample_chips.js';
import { Spellings } from '../../app/tokenizers/spellings.js';
import { lanesLayout } from '../../editor/row_layout.js';
import { actionButton, h, listen } from '../../ui/dom.js';
import { MenuButton } from '../../ui/menu_button.js';
import { select } from '../../ui/form.js';
import { SidePanel } from '../../ui/side_panel.js';
import { TabList } from '../../ui/tab_list.js';
import { plural } from '../../util/format.js';
import { Latest } from '../../util/latest.js';
import { EditForm } from './edit_form.js';
import { KINDS } from './edit_words.js';
import { lanesOf } from './lanes.js';
import { ChangedPanel, DocumentsPanel } from './panels/changed.js';
import { ChecksPanel } from './panels/checks.js';
import { FactsPanel } from './panels/facts.js';
import { RecipePanel } from './panels/recipe.js';
import { Recipe } from './recipe.js';

const MAP_FORMATS = ['csv', 'json', 'npz', 'parquet'];

/** @typedef {import('../../api/edits.js').Edit} Edit */
/** @typedef {import('../../api/schema.d.ts').Edited} Edited */

export default class WorkshopScreen extends EncodedScreen {
  #recipe = new Recipe();
  #asked = new Latest();
  #proved = new Latest();
  #measuring = new Latest();
  /** @type {Object<string, Object<string, string>>|null} */
  #kinds = null;
  /** @type {Edited|null} */
  #done = null;
  /** @type {import('../../api/schema.d.ts').EditCheck[]} */
  #proofs = [];
  /** @type {import('../../api/schema.d.ts').Measured|null} */
  #measured = null;
  /** Of the text, under A and B. @type {import('../../text/figures.js').Result[]} */
  #results = [];
  #base = '';
  /** The place of the edit that is being written; its length for a new one. */
  #at = 0;

  #facts = new FactsPanel();
  #checks = new ChecksPanel(() => this.#prove());
  #changed = new ChangedPanel();
  #documents = new DocumentsPanel();
  #form = new EditForm();
  #samples = new SampleChips();
  /** @type {Spellings} */
  #spellings;
  #side = new SidePanel();
  #tabs = new TabList();
  #maps = new MenuButton();
  #corpus = select('corpus', () => this.#measure());
  #id = h('input', { type: 'text', id: 'workshop-id', spellcheck: false, placeholder: 'my-tokenizer' });
  #list = new RecipePanel({
    undo: () => this.#step(() => this.#recipe.undo()),
    redo: () => this.#step(() => this.#recipe.redo()),
    add: kind => this.#write(this.#recipe.edits.length, { kind }),
    open: at => this.#write(at, this.#recipe.edits[at]),
    turn: (at, on) => this.#step(() => this.#recipe.turn(at, on)),
    move: (from, to) => this.#step(() => this.#recipe.move(from, to)),
    remove: at => this.#step(() => this.#recipe.remove(at)),
    save: () => this.#try(() => this.#saveRecipe()),
    read: file => this.#try(() => this.#readRecipe(file)),
  });

  /** @param {HTMLElement} root @param {import('../../app/context.js').Context} context */
  mount(root, context) {
    super.mount(root, context);
    this.#spellings = new Spellings(context, () => this.text.respell());
    const save = actionButton('Save as tokenizer', () => this.#try(() => this.#keep()), { class: 'button primary' });
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
          h('label', { for: 'workshop-id', class: 'visually-hidden' }, 'ID of the new tokenizer'),
          this.#id,
          save,
          this.#maps,
        ),
        this.#list.element,
        h('div', { class: 'workshop-text' }, this.#samples, this.text),
        this.#checks.element,
        this.#side,
        this.#form,
      ),
    );
    this.#corpus.ariaLabel = 'Measure on';
    this.#maps.label = 'Map of rows';
    this.#maps.panel.append(
      ...MAP_FORMATS.map(format => this.#maps.item(format, () => this.#try(() => this.#saveMap(format)))),
    );
    this.#side.label = 'What changed';
    this.#side.body.append(this.#tabs, this.#changed.element, this.#documents.element);
    listen(this.#form, 'edit', edit => this.#step(() => this.#take(edit)));
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
    if (this.#base && !this.#done && !this.#asked.running) this.#renew();
    else if (this.#done && !this.#measured && this.#corpus.value) this.#measure();
    this.#try(() => this.#load());
    this.context.status.note('Edits are a recipe: the files of A stay as they are');
  }

  deactivate() {
    super.deactivate();
    if (this.#asked.running) this.#forget();
    this.#stopAsking();
  }

  destroy() {
    super.destroy();
    this.#spellings.destroy();
    this.#stopAsking();
  }

  #stopAsking() {
    for (const asked of [this.#asked, this.#proved, this.#measuring]) asked.stop();
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
      ...Object.entries(KINDS).map(([kind, [name, words]]) => ({
        label: `Edit: ${name}`,
        also: words,
        run: () => this.#write(this.#recipe.edits.length, { kind }),
      })),
      { label: 'Save the recipe', run: () => this.#try(() => this.#saveRecipe()) },
      { label: 'Prove reachability', also: 'check audit', run: () => this.#prove() },
      panelCommand(this.context.settings),
    ];
  }

  wanted() {
    if (!this.#base) return null;
    const draft = this.#done && this.#recipe.edits.length ? [this.#done.draft] : [];
    const wanted = this.wantedOf([this.#base, ...draft], draft.length > 0);
    return { ...wanted, options: { ...wanted.options, ignoreSpaces: draft.length ? false : null } };
  }

  /** @param {import('../../text/session_types.js').Answer} answer */
  lanes(answer) {
    return lanesOf(answer, this.#spellings);
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
    if (!active || active === this.#base) return;
    this.#base = active;
    this.#forget();
    this.#renew();
  }

  /** Shows the base alone: what the recipe does is not known. */
  #forget() {
    this.#done = this.#measured = null;
    this.#draw();
    this.encoding.want(this.wanted());
  }

  async #load() {
    if (this.#kinds) return;
    const [{ kinds }, corpora] = await Promise.all([edits.listKinds(), listCorpora()]);
    this.#kinds = kinds;
    const named = corpora.map(({ id, title }) => ({ id, name: title }));
    this.#form.choices.corpus = named;
    this.#corpus.replaceChildren(
      h('option', { value: '' }, 'this text'),
      ...named.map(({ id, name }) => h('option', { value: id }, name)),
    );
  }

  /** @param {number} at @param {Edit} edit */
  #write(at, edit) {
    return this.#try(async () => {
      await this.#load();
      this.#open(at, edit);
    });
  }

  /** @param {number} at @param {Edit} edit */
  #open(at, edit) {
    const { catalog } = this.context;
    this.#at = at;
    this.#form.choices.tokenizer = catalog.entries
      .filter(entry => entry.available && entry.source !== 'plug-in')
      .map(({ id, name }) => ({ id, name }));
    const options = this.#kinds?.[edit.kind] ?? {};
    if (Object.keys(options).length) this.#form.open(options, edit);
    else if (at === this.#recipe.edits.length) this.#step(() => this.#take(edit));
  }

  /** @param {Edit} edit that was written */
  #take(edit) {
    if (this.#at < this.#recipe.edits.length) this.#recipe.change(this.#at, edit);
    else this.#recipe.add(edit);
  }

  /** Changes the recipe, and asks what it does. @param {() => void} change */
  #step(change) {
    change();
    this.#renew();
  }

  /** Asks what the recipe does; the old figures stay until it is known. */
  #renew() {
    this.#proofs = [];
    this.#proved.stop();
    this.#measuring.stop();
    this.#draw();
    return this.#try(async () => {
      const { session } = this.context;
      const text = session.doc.length < 10_000 ? session.doc.toString() : '';
      const asked = this.#asked.run(signal => edits.tryEdits(this.#base, this.#recipe.edits, text, signal));
      const done = await asked.catch(error => {
        this.#forget();
        throw error;
      });
      if (!done) return;
      this.#done = done;
      this.#measured = null;
      this.#draw();
      this.encoding.want(this.wanted());
      this.context.status.announce(
        done.problem
          ? `Edit ${done.problem.number} was refused`
          : `${plural(done.added_count, 'token')} added, ${plural(done.removed_count, 'token')} removed`,
      );
      if (this.#corpus.value) await this.#count();
    });
  }

  /** The edits of the draft: those before one that was refused. */
  get #applied() {
    const problem = this.#done?.problem;
    return problem ? this.#recipe.edits.slice(0, problem.number - 1) : this.#recipe.edits;
  }

  #prove() {
    return this.#try(async () => {
      const found = await this.#proved.run(signal => edits.proveEdits(this.#base, this.#applied, signal));
      if (found) this.#proofs = found.checks;
      this.#draw();
    });
  }

  #measure() {
    return this.#try(() => this.#count());
  }

  async #count() {
    const corpus = this.#corpus.value;
    if (!corpus) {
      this.#measuring.stop();
      this.#measured = null;
    } else {
      const found = await this.#measuring.run(signal => edits.measureEdits(this.#base, this.#applied, corpus, signal));
      if (!found) return;
      this.#measured = found;
    }
    this.#draw();
  }

  async #keep() {
    const { catalog, status } = this.context;
    const { id, name } = await edits.keepEdits(this.#base, this.#recipe.edits, this.#id.value.trim());
    await catalog.renew(id);
    status.announce(`${name} is in the Library`);
  }

  async #saveRecipe() {
    const { toml } = await edits.writeRecipe(this.#recipe.edits);
    saveFile(`${this.#base}.toml`, new Blob([toml], { type: 'application/toml' }));
  }

  /** @param {File} file */
  async #readRecipe(file) {
    const read = await edits.readRecipe(await file.text());
    this.#recipe.replace(/** @type {Edit[]} */ (read.edits));
    this.#renew();
  }

  /** @param {string} format */
  async #saveMap(format) {
    const { name, data } = await edits.mapOfRows(this.#base, this.#recipe.edits, format);
    saveFile(`${this.#base}-${name}`, data);
  }

  #draw() {
    const { edits: shown, canUndo, canRedo } = this.#recipe;
    const done = this.#done;
    const name = this.context.catalog.nameOf(this.#base);
    this.#list.show({ edits: shown, done, name, canUndo, canRedo });
    this.#checks.show([...(done && shown.length ? done.checks : []), ...this.#proofs], shown.length > 0);
    this.#checks.measure(this.#measured);
    this.#changed.show(done);
    this.#documents.show(this.#measured);
    this.#showFigures();
  }

  #showFigures() {
    this.#facts.show({ done: this.#done, measured: this.#measured, results: this.#results });
  }

  /** Runs something and shows its error. @param {() => Promise<void>} work */
  async #try(work) {
    const { activity, status } = this.context;
    try {
      await activity.track(work());
    } catch (error) {
      if (this.isActive) status.showError(error);
    }
  }
}
