/** The panel on the right: tests of the template, the rendered text, a template of the user's own. */
import { Panel } from '../../../app/panel.js';
import { actionButton, drawnOnce, h, listen, setText } from '../../../ui/dom.js';
import { mark, problem } from '../../../ui/form.js';
import { SidePanel } from '../../../ui/side_panel.js';
import { TabList } from '../../../ui/tab_list.js';
import { readTools } from '../conversation.js';
import { OUTCOMES } from '../chat_words.js';
import { OWN } from '../settings.js';
import { TokenFacts } from './token.js';

export class DrawerPanel extends Panel {
  #screen;
  #checks = h('div', { class: 'chat-checks' });
  #text = h('pre', { class: 'chat-rendered', tabIndex: 0, dir: 'auto', 'aria-label': 'Rendered text' });
  #source = h('textarea', {
    class: 'chat-source',
    rows: 16,
    spellcheck: false,
    'aria-label': 'Template in Jinja',
    'data-role': 'own-template',
    placeholder: '{% for message in messages %}…{% endfor %}',
    oninput: () => this.context.settings.set({ 'chat.ownTemplate': this.#source.value, 'chat.template': OWN }),
  });
  #tools = h('textarea', {
    class: 'chat-source',
    rows: 16,
    spellcheck: false,
    'aria-label': 'Tools in JSON',
    'data-role': 'chat-tools',
    placeholder: '[{"type": "function", "function": {"name": "…"}}]',
    oninput: () => this.context.settings.set({ 'chat.tools': this.#tools.value }),
  });
  #toolsProblem = problem('chat-tools-problem');
  #token = new TokenFacts();
  #tabs = new TabList();
  element = new SidePanel();

  /** @param {import('../chat_types.js').Owner} screen */
  constructor(screen) {
    super();
    this.#screen = screen;
    const source = h(
      'div',
      { class: 'chat-template-tab' },
      h('p', { class: 'faint' }, 'A template of your own, in Jinja. It is used as soon as you write it.'),
      this.#source,
    );
    const tools = h(
      'div',
      { class: 'chat-template-tab' },
      h('p', { class: 'faint' }, 'A list of tools, as the template takes them.'),
      this.#tools,
      this.#toolsProblem,
    );
    this.element.label = 'Chat';
    this.element.body.append(this.#tabs, this.#checks, this.#text, this.#token.element, source, tools);
    this.#tabs.tabs = [
      { value: 'checks', label: 'Checks', panel: this.#checks },
      { value: 'rendered', label: 'Rendered', panel: this.#text },
      { value: 'token', label: 'Token', panel: this.#token.element },
      { value: 'template', label: 'Template', panel: source },
      { value: 'tools', label: 'Tools', panel: tools },
    ];
    listen(this.#tabs, 'valuechange', () => this.#screen.draw());
  }

  /** Whether the tests are shown. */
  get showsChecks() {
    return this.#tabs.value === 'checks';
  }

  /** @param {string} tab */
  show(tab) {
    this.#tabs.value = tab;
    this.#screen.draw();
  }

  /** @param {import('../chat_types.js').Shown} shown */
  onResult({ chat, checks, checkProblem }) {
    const own = this.context.settings.get('chat.ownTemplate');
    if (this.#source.value !== own) this.#source.value = own;
    const tools = this.context.settings.get('chat.tools');
    if (this.#tools.value !== tools) this.#tools.value = tools;
    const isWrong = readTools(tools) === null;
    setText(this.#toolsProblem, isWrong ? 'This is no list in JSON. The tools are left out.' : '');
    this.#toolsProblem.hidden = !isWrong;
    mark(this.#tools, isWrong);
    setText(this.#text, chat?.text ?? '');
    this.#token.show(chat, this.#screen.rows.token);
    drawnOnce(this.#checks, [checks?.checks, checkProblem], () =>
      checkProblem
        ? [h('p', { class: 'field-problem' }, checkProblem)]
        : (checks?.checks ?? []).map(check => {
            const { sign, name } = OUTCOMES[check.outcome];
            return h(
              'section',
              { class: 'chat-check', 'data-outcome': check.outcome.replace(' ', '-') },
              h('span', { class: 'sign', role: 'img', 'aria-label': name, title: name }, sign),
              h('h3', {}, check.name.charAt(0).toUpperCase() + check.name.slice(1)),
              check.message === null
                ? null
                : actionButton('Show', () => this.#screen.rows.focus(check.message ?? 0), {
                    class: 'button link',
                    'aria-label': `Show message ${check.message + 1}`,
                  }),
              h('p', {}, check.summary),
            );
          }),
    );
  }
}
