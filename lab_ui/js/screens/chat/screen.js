/** Chat: a conversation as the tokens that a model reads, with the template's own, what is trained on, and a budget. */
import * as chatClient from '../../api/chat.js';
import { AskWhileOpen, FOLLOW_MS } from '../../app/ask_while_open.js';
import { followPanelSettings } from '../../app/panel_settings.js';
import { Screen } from '../../app/screen.js';
import { h } from '../../ui/dom.js';
import { fileChooser } from '../../ui/form.js';
import { callEach } from '../../util/call_each.js';
import { plural } from '../../util/format.js';
import { chatCommands } from './commands.js';
import { EXAMPLE, fieldsOf, localMoment, messageOf, readMessages, readTools, toolsIn } from './conversation.js';
import { handOverMenu } from './hand_over.js';
import { BudgetPanel } from './panels/budget.js';
import { DriftPanel } from './panels/drift.js';
import { DrawerPanel } from './panels/drawer.js';
import { FactsPanel } from './panels/facts.js';
import { RowsPanel } from './panels/rows.js';
import { ToolsPanel } from './panels/tools.js';
import { OWN, SETTINGS } from './settings.js';
import { Templates } from './templates.js';
/** @import {Asked} from '../../api/chat.js' */
/** @import {Chat, ChatChecks} from '../../api/schema.d.ts' */
/** @import {DroppedFile} from '../../app/files/dropped_files.js' */
/** @import {Message} from './conversation.js' */

const CHECKS_MS = 800;

export default class ChatScreen extends Screen {
  static settings = SETTINGS;

  /** @type {Message[]} */
  messages = [];
  /** What was taken from the settings or written to them. */
  #kept = '';
  #client;
  /** @type {import('../../app/context.js').Context} */
  context;
  /** @type {AskWhileOpen} */
  #asking;
  /** @type {AskWhileOpen} */
  #checking;
  #isActive = false;
  /** The answer that is shown, and the question that it answers. @type {{chat: Chat, asked: Asked}|null} */
  #shown = null;
  /** @type {ChatChecks|null} */
  #checks = null;
  #checkProblem = '';
  #templates;
  #problem = h('p', { class: 'field-problem chat-problem', role: 'alert', 'data-role': 'error', hidden: true });
  #open = fileChooser('chat-file', files => this.takeFiles(files.map(file => ({ file }))), { accept: '.json' });
  rows = new RowsPanel(this);
  #drawer = new DrawerPanel(this);
  /** @type {DriftPanel} */
  #drift;
  /** @type {FactsPanel} */
  #facts;
  #budget = new BudgetPanel();
  #work = h('div', { class: 'chat-work' });
  /** @type {import('../../app/panel.js').Panel[]} */
  #panels = [];

  /** @param {typeof chatClient} [client] */
  constructor(client = chatClient) {
    super();
    this.#client = client;
    this.#templates = new Templates(client);
  }

  /** @param {HTMLElement} root @param {import('../../app/context.js').Context} context */
  mount(root, context) {
    this.context = context;
    const { settings, activity } = context;
    this.#asking = new AskWhileOpen(activity);
    this.#checking = new AskWhileOpen(activity);
    const tools = new ToolsPanel();
    this.#drift = new DriftPanel(this.#client);
    this.#facts = new FactsPanel(
      handOverMenu(
        context,
        () => this.#shown,
        () => this.#open.click(),
      ),
    );
    this.#panels = [this.#facts, tools, this.#budget, this.rows, this.#drift, this.#drawer];
    this.#work.append(this.#problem, this.rows.element, this.#drift.element);
    const parts = [this.#facts.element, tools.element, this.#budget.element, this.#work, this.#drawer.element];
    root.append(h('div', { class: 'chat' }, ...parts, this.#open));
    followPanelSettings(this.#drawer.element, 'chat', settings, this.life);
    for (const panel of this.#panels) panel.mount(context);
    const own = Object.keys(SETTINGS).map(name => `chat.${name}`);
    settings.on([...own, 'active', 'chosen'], changed => this.#onState(changed), this.life);
    this.#take();
    this.draw();
  }

  activate() {
    this.#isActive = true;
    this.#take();
    return this.#ask(0);
  }

  deactivate() {
    this.#isActive = false;
    this.#asking.stop();
    this.#checking.stop();
    this.#drift.stop();
  }

  destroy() {
    super.destroy();
    for (const panel of this.#panels) panel.destroy();
  }

  get followsActive() {
    return true;
  }

  get focusName() {
    return 'the messages';
  }

  focusText() {
    if (this.#isDrift) this.#drift.focus();
    else this.rows.focus(0);
  }

  get dropHint() {
    return 'Drop a file of messages (JSON)';
  }

  /** @param {Pick<DroppedFile, 'file'>[]} files */
  takeFiles([{ file }]) {
    this.context.activity.track(
      file.text().then(text => {
        const found = readMessages(text);
        if (!found) return this.#showProblem(`${file.name} has no messages. Give [{"role": "user", "content": "…"}].`);
        this.context.settings.set({ 'chat.tools': toolsIn(text) });
        this.change(() => found.map(messageOf));
        this.context.status.announce(`${plural(found.length, 'message')} of ${file.name}`);
      }),
    );
  }

  renew() {
    this.#templates.forget();
    this.#ask(0);
  }

  get commands() {
    return chatCommands(this.context.settings, {
      add: () => this.rows.add(),
      open: () => this.#open.click(),
      showExample: () => this.change(() => EXAMPLE.map(messageOf)),
      step: by => (this.#isDrift ? this.#drift.jump(by) : this.rows.step(by)),
      show: tab => this.show(tab),
    });
  }

  /** Opens a tab of the drawer. @param {string} tab */
  show(tab) {
    this.#drawer.show(tab);
  }

  /** Changes the messages. @param {(messages: Message[]) => Message[]} edit */
  change(edit) {
    this.messages = edit(this.messages);
    const fields = this.messages.map(fieldsOf);
    if (!fields.includes(null)) {
      this.#kept = JSON.stringify(fields);
      this.context.settings.set({ 'chat.conversation': this.#kept });
      this.#ask(FOLLOW_MS);
    }
    this.draw();
  }

  draw() {
    /** @type {import('./chat_types.js').Shown} */
    const shown = {
      chat: this.#shown?.chat ?? null,
      checks: this.#checks,
      checkProblem: this.#checkProblem,
      messages: this.messages,
      colour: this.context.settings.get('chat.colour'),
      templates: this.#templates,
      template: this.#template,
    };
    callEach(this.#panels, panel => panel.onResult(shown));
    const isDrift = this.#isDrift;
    for (const { element } of [this.#facts, this.#budget, this.rows, this.#drawer]) element.hidden = isDrift;
    this.#drift.element.hidden = !isDrift;
    if (!this.#isActive) return;
    this.context.status.note(
      this.#shown ? `${plural(this.messages.length, 'message')} · Control tokens are parsed` : '',
    );
    this.context.status.now('The template runs in a closed process');
  }

  get #isDrift() {
    return this.context.settings.get('chat.view') === 'drift';
  }

  get #template() {
    return this.#templates.used(this.context.settings.get('chat.template'));
  }

  /** Takes the messages of the settings, if they are others. */
  #take() {
    const kept = this.context.settings.get('chat.conversation');
    if (this.messages.length && kept === this.#kept) return;
    this.#kept = kept;
    this.messages = ((kept && readMessages(kept)) || EXAMPLE).map(messageOf);
  }

  /** @param {Set<string>} changed */
  #onState(changed) {
    if (changed.has('chat.conversation') && this.context.settings.get('chat.conversation') !== this.#kept) this.#take();
    else if (changed.size === 1 && changed.has('chat.conversation')) return;
    this.draw();
    if (changed.size > 1 || !changed.has('chat.colour')) this.#ask(FOLLOW_MS);
  }

  /** @returns {import('../../api/chat.js').Given|null} null: no tokenizer is in use, or a message is no JSON */
  get #given() {
    const { settings } = this.context;
    const tokenizer = settings.get('active');
    const messages = this.messages.map(fieldsOf);
    if (!tokenizer || messages.includes(null)) return null;
    const own = this.#template === OWN;
    const tools = readTools(settings.get('chat.tools'));
    return {
      tokenizer,
      messages: /** @type {Object<string, any>[]} */ (messages),
      ...(tools?.length && { tools }),
      add_generation_prompt: settings.get('chat.prompt'),
      ...(own ? { template_text: settings.get('chat.ownTemplate') } : { template: this.#template }),
    };
  }

  /** Asks for the tokens, then for the tests. @param {number} waitMs */
  #ask(waitMs) {
    if (!this.#isActive) return undefined;
    if (this.#isDrift) return this.#drift.ask(waitMs);
    const { settings } = this.context;
    const context = settings.get('chat.context');
    const reserve = settings.get('chat.reserve');
    this.#checking.stop();
    return this.#asking.ask({
      waitMs,
      ask: async signal => {
        await this.#templates.load(settings.get('active'), signal);
        const given = this.#given;
        if (!given) return null;
        /** @type {Asked} */
        const asked = {
          ...given,
          now: localMoment(new Date()),
          mask: settings.get('chat.byRole') ? 'roles' : 'template',
          as_text: this.messages.flatMap(({ asText }, n) => (asText ? [n] : [])),
        };
        const budget = context > reserve ? { context, reserve } : {};
        return { chat: await this.#client.seeChat({ ...asked, ...budget }, signal), asked };
      },
      show: shown => {
        this.#shown = shown;
        this.#problem.hidden = true;
        this.draw();
        this.#check();
      },
      showProblem: error => {
        this.#shown = this.#checks = null;
        this.#showProblem([error.message, error.hint].filter(Boolean).join(': '));
      },
    });
  }

  #check() {
    const given = this.#given;
    if (!given || !this.#drawer.showsChecks || !this.context.settings.get('showPanel')) return;
    this.#checking.ask({
      waitMs: CHECKS_MS,
      ask: signal => this.#client.checkChat(given, signal),
      show: checks => {
        this.#checks = checks;
        this.#checkProblem = '';
        this.draw();
      },
      showProblem: error => {
        this.#checkProblem = error.message;
        this.draw();
      },
    });
  }

  /** @param {string} words */
  #showProblem(words) {
    this.#problem.hidden = false;
    this.#problem.textContent = words;
    this.draw();
  }
}
