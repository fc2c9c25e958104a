/** Workshop: a tokenizer is changed by a recipe of edits; what each does to a text, a corpus, the vocabulary. */
import { readRecipe } from '../../api/edits.js';
import { keyWords } from '../../app/commands/command.js';
import { EncodedScreen, PLACEHOLDER } from '../../app/encoded_screen.js';
import { followPanelSettings, panelCommand } from '../../app/panel_settings.js';
import { SampleChips } from '../../app/sample_chips.js';
import { Spellings } from '../../app/tokenizers/spellings.js';
import { lanesLayout } from '../../editor/row_layout.js';
import { h } from '../../ui/dom.js';
import { select } from '../../ui/form.js';
import { SidePanel } from '../../ui/side_panel.js';
import { TabList } from '../../ui/tab_list.js';
import { plural } from '../../util/format.js';
import { workshopCommands } from './commands.js';
import { Draft } from './draft.js';
import { progressWords } from './edit_words.js';
import { lanesOf, lettersOf } from './lanes.js';
import { ChangedPanel } from './panels/changed.js';
import { ChecksPanel } from './panels/checks.js';
import { DocumentsPanel } from './panels/documents.js';
import { FactsPanel } from './panels/facts.js';
import { HandOver } from './panels/hand_over.js';
import { PlacesPanel } from './panels/places.js';
import { RecipePanel } from './panels/recipe.js';
import { Recipe } from './recipe.js';
import { Writing } from './writing.js';

/** @typedef {import('../../api/edits.js').Edit} Edit */

const MOST_CHARACTERS = 10_000; // of a text that every edit is tried on

export default class WorkshopScreen extends EncodedScreen {
  #recipe = new Recipe();
  #draft = new Draft(() => this.#draw());
  /** Of the text, under the base and the draft. @type {import('../../text/figures.js').Result[]} */
  #results = [];
  /** What the status line says of the work that is under way. */
  #progress = '';
  #facts = new FactsPanel();
  #checks = new ChecksPanel({
    prove: () => this.#try(() => this.#draft.prove()),
    keepIds: () => this.#step(() => this.#recipe.keepIds()),
    language: name => {
      this.#tabs.value = 'documents';
      this.#documents.filter(name);
    },
  });
  #changed = new ChangedPanel();
  #documents = new DocumentsPanel({
    show: text => this.context.session.setText(text),
    keep: tokens => this.#step(() => this.#recipe.keepTokens(tokens)),
    canKeep: () => this.#recipe.canKeepTokens,
  });
  #places = new PlacesPanel(this.text);
  /** @type {Writing} */
  #writing;
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
    this.#writing = new Writing(context.catalog, (at, edit) => this.#step(() => this.#recipe.put(at, edit)));
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
        h('div', { class: 'workshop-text' }, this.#samples, this.#places.element, this.text),
        this.#checks.element,
        this.#side,
        this.#writing.form,
      ),
    );
    this.#corpus.ariaLabel = 'Measure on';
    this.#side.label = 'What changed';
    this.#side.body.append(this.#tabs, this.#changed.element, this.#documents.element);
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

  get commands() {
    return workshopCommands(this.#writing.kinds ?? {}, {
      undo: () => this.#step(() => this.#recipe.undo()),
      redo: () => this.#step(() => this.#recipe.redo()),
      add: kind => this.#write(this.#recipe.edits.length, { kind }),
      jump: by => this.#places.jump(by),
      save: () => this.#try(() => this.#handOver.saveRecipe()),
      prove: () => this.#try(() => this.#draft.prove()),
      panel: panelCommand(this.context.settings),
    });
  }

  /** Esc: ends the work that is under way. What the edits do is not known then. */
  stop() {
    const { isRenewing } = this.#draft;
    if (!this.#draft.stop()) return super.stop();
    if (isRenewing) this.#forget();
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
    this.#places.show(isSettled ? answer : null);
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
    if (!(await this.#writing.load())) return;
    const { kinds, corpora } = this.#writing;
    this.#list.kinds = kinds ?? {};
    this.#corpus.replaceChildren(
      h('option', { value: '' }, 'this text'),
      ...corpora.map(({ id, name }) => h('option', { value: id }, name)),
    );
    this.#draw();
  }

  /** @param {number} at @param {Edit} edit */
  #write(at, edit) {
    return this.#try(async () => {
      await this.#load();
      this.#writing.open(at, edit);
    });
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
      const renewed = this.#draft.renew(doc.length < MOST_CHARACTERS ? doc.toString() : '');
      const done = await renewed.finally(() => this.encoding.want(this.wanted()));
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
    this.#checks.show(
      [...(done && edits.length ? done.checks : []), ...proofs],
      edits.length > 0,
      this.#recipe.movesIds,
    );
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
    return this.#writing.kinds?.[this.#recipe.edits[(edit ?? 0) - 1]?.kind]?.name;
  }

  #showFigures() {
    const { done, measured } = this.#draft;
    this.#facts.show({ done, measured, results: this.#results });
  }

  /** Runs something and shows its error. @param {() => Promise<void>} work */
  #try = work => this.track?.(work());
}
