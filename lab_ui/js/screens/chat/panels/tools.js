/** The template and how the tokens are read. */
import { Panel } from '../../../app/panel.js';
import { h, listen } from '../../../ui/dom.js';
import { choose, line, offer, select } from '../../../ui/form.js';
import { SegmentedControl } from '../../../ui/segmented_control.js';
import { ToggleSwitch } from '../../../ui/toggle_switch.js';
import { COLOURS, OWN, VIEWS } from '../settings.js';

export class ToolsPanel extends Panel {
  #view = h(new SegmentedControl(), { options: VIEWS });
  #template = select('chat-template', template => this.context.settings.set({ 'chat.template': template }));
  #prompt = h(new ToggleSwitch(), { label: 'Generation prompt', hook: 'chat-prompt' });
  #byRole = h(new ToggleSwitch(), {
    label: 'Mask by role',
    hook: 'chat-by-role',
    hint: 'Count the answers as trained on, whatever the template marks',
  });
  #colour = h(new SegmentedControl(), { options: COLOURS });
  #ofMessages = [line('Template', this.#template), this.#prompt, this.#byRole, this.#colour];
  element = h('div', { class: 'tools' }, this.#view, ...this.#ofMessages);

  /** @param {import('../../../app/context.js').Context} context */
  mount(context) {
    super.mount(context);
    const { settings } = context;
    this.#view.ariaLabel = 'View';
    this.#template.ariaLabel = 'Template';
    this.#colour.ariaLabel = 'Colour of tokens';
    listen(this.#view, 'valuechange', view => settings.set({ 'chat.view': view }));
    listen(this.#prompt, 'valuechange', prompt => settings.set({ 'chat.prompt': prompt }));
    listen(this.#byRole, 'valuechange', byRole => settings.set({ 'chat.byRole': byRole }));
    listen(this.#colour, 'valuechange', colour => settings.set({ 'chat.colour': colour }));
  }

  /** @param {import('../chat_types.js').Shown} shown */
  onResult({ templates, template }) {
    const { settings } = this.context;
    offer(this.#template, [
      ...templates.own.map(name => ({ value: name, label: name === 'default' ? "The tokenizer's" : name })),
      ...templates.builtIn.map(name => ({ value: name, label: name === 'chatml' ? 'ChatML' : 'Harmony' })),
      { value: OWN, label: 'A template of your own' },
    ]);
    choose(this.#template, template);
    this.#view.value = settings.get('chat.view');
    for (const each of this.#ofMessages) each.hidden = settings.get('chat.view') !== 'messages';
    this.#prompt.checked = settings.get('chat.prompt');
    this.#byRole.checked = settings.get('chat.byRole');
    this.#colour.value = settings.get('chat.colour');
  }
}
