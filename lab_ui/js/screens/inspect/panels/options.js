/** How the tokens are shown: the views and switches in the menu "View options". */
import { Panel } from '../../../app/panel.js';
import { specialTokenOptions } from '../../../app/special_token_options.js';
import { h, listen } from '../../../ui/dom.js';
import { MenuButton } from '../../../ui/menu_button.js';
import { SegmentedControl } from '../../../ui/segmented_control.js';
import { ToggleSwitch } from '../../../ui/toggle_switch.js';

const VIEWS = [
  { value: 'text', label: 'Text' },
  { value: 'table', label: 'Table' },
  { value: 'bytes', label: 'Bytes' },
  { value: 'ids', label: 'IDs' },
];

export class OptionsPanel extends Panel {
  element = h(new MenuButton(), { label: 'View options', hook: 'view-options' });
  #life;
  #others;
  #views = h(new SegmentedControl(), { ariaLabel: 'View', options: VIEWS });
  #switches = {
    showIds: h(new ToggleSwitch(), { label: 'IDs', name: 'Show token IDs' }),
    showWhiteSpace: h(new ToggleSwitch(), { label: 'Whitespace', name: 'Show whitespace' }),
  };

  /** @param {AbortSignal} life of the screen @param {HTMLElement[]} others controls of other panels */
  constructor(life, others) {
    super();
    this.#life = life;
    this.#others = others;
  }

  /** @param {import('../../../app/context.js').Context} context */
  mount(context) {
    super.mount(context);
    const { settings } = context;
    this.element.group('View', this.#views);
    this.element.group('Show', ...Object.values(this.#switches), ...this.#others);
    this.element.group('Special tokens', ...specialTokenOptions(context, this.#life));
    for (const [name, control] of Object.entries(this.#switches))
      listen(control, 'valuechange', shown => settings.set({ [name]: shown }));
    listen(this.#views, 'valuechange', view => settings.set({ 'inspect.view': view }));
    this.#draw();
  }

  onState() {
    this.#draw();
  }

  #draw() {
    const { settings } = this.context;
    for (const [name, control] of Object.entries(this.#switches)) control.checked = settings.get(name);
    this.#views.value = settings.get('inspect.view');
  }
}
