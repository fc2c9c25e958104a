/** What a text of so many tokens means elsewhere: its share of a context window and its price. */
import { Panel } from '../../../app/panel.js';
import { listen } from '../../../ui/dom.js';
import { ToggleSwitch } from '../../../ui/toggle_switch.js';
import { ContextMeter } from '../context_meter.js';

const SETTINGS = ['showMeter', 'contextSize', 'price'];

export class CostPanel extends Panel {
  /** @type {import('../selection.js').InspectAnswer|null} */
  #answer = null;
  element = new ContextMeter();
  toggle = new ToggleSwitch();

  /** @param {import('../../../app/context.js').Context} context */
  mount(context) {
    super.mount(context);
    const { settings } = context;
    this.toggle.label = 'Context and cost';
    this.toggle.name = 'Show context and cost';
    listen(this.toggle, 'valuechange', shown => settings.set({ 'inspect.showMeter': shown }));
    listen(this.element, 'budget', typed =>
      settings.set(Object.fromEntries(Object.entries(typed).map(([name, value]) => [`inspect.${name}`, value]))),
    );
    this.#draw();
  }

  /** @param {import('../selection.js').InspectAnswer|null} answer */
  onAnswer(answer) {
    this.#answer = answer;
    this.#draw();
  }

  /** @param {Set<string>} changed */
  onState(changed) {
    if (SETTINGS.some(name => changed.has(`inspect.${name}`))) this.#draw();
  }

  #draw() {
    const [showMeter, contextSize, price] = SETTINGS.map(name => this.context.settings.get(`inspect.${name}`));
    Object.assign(this.toggle, { checked: showMeter, quiet: showMeter });
    this.element.hidden = !showMeter;
    if (showMeter) this.element.show(this.#answer?.result.count ?? null, contextSize, price);
  }
}
