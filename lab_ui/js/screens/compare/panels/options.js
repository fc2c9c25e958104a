/** How the tokens are shown: the views, and the menu "View options". */
import { Panel } from '../../../app/panel.js';
import { specialTokenOptions } from '../../../app/special_token_options.js';
import { h, listen } from '../../../ui/dom.js';
import { MenuButton } from '../../../ui/menu_button.js';
import { SegmentedControl } from '../../../ui/segmented_control.js';
import { ToggleSwitch } from '../../../ui/toggle_switch.js';
import { VIEWS } from '../panes.js';
import { idSetting } from '../settings.js';

export class OptionsPanel extends Panel {
  views = h(new SegmentedControl(), { ariaLabel: 'View', options: VIEWS });
  element = h(new MenuButton(), { label: 'View options', hook: 'view-options' });
  #life;
  #spaces = h(new ToggleSwitch(), { hook: 'ignore-spaces', label: 'Ignore which token keeps the space' });
  #white = h(new ToggleSwitch(), { label: 'Whitespace', name: 'Show whitespace' });
  #ids = h(new ToggleSwitch(), { label: 'IDs', name: 'Show IDs' });

  #compact = h(new ToggleSwitch(), { hook: 'compact', label: 'Compact lines' });

  /** @param {AbortSignal} life of the screen */
  constructor(life) {
    super();
    this.#life = life;
  }

  /** @param {import('../../../app/context.js').Context} context */
  mount(context) {
    super.mount(context);
    const { settings } = context;
    this.element.group('Show', this.#spaces, this.#white, this.#ids, this.#compact);
    this.element.group('Special tokens', ...specialTokenOptions(context, this.#life));
    listen(this.#spaces, 'valuechange', ignoreSpaces => settings.set({ ignoreSpaces }));
    listen(this.#white, 'valuechange', showWhiteSpace => settings.set({ showWhiteSpace }));
    listen(this.#ids, 'valuechange', shown => settings.set({ [idSetting(settings)]: shown }));
    listen(this.#compact, 'valuechange', compact => settings.set({ 'compare.compact': compact }));
    listen(this.views, 'valuechange', view => settings.set({ 'compare.view': view }));
    this.#draw();
  }

  onState() {
    this.#draw();
  }

  #draw() {
    const { settings } = this.context;
    this.#spaces.checked = settings.get('ignoreSpaces');
    this.#white.checked = settings.get('showWhiteSpace');
    this.#ids.checked = settings.get(idSetting(settings));
    this.#compact.checked = settings.get('compare.compact');
    this.#ids.hidden = this.#compact.checked && settings.get('compare.view') === 'aligned';
    this.views.value = settings.get('compare.view');
  }
}
