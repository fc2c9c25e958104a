/** The controls for the size of saved charts: width, text, title. */
import { h, listen } from '../../ui/dom.js';
import { SegmentedControl } from '../../ui/segmented_control.js';
import { ToggleSwitch } from '../../ui/toggle_switch.js';
import { WIDTHS_CM } from './figure_size.js';
import { SHARED } from '../state/shared_settings.js';

const WIDTHS = [
  { value: 'screen', label: 'On screen' },
  ...Object.entries(WIDTHS_CM).map(([value, cm]) => ({ value, label: `${cm}\u202fcm` })),
];
const TEXTS = (SHARED.figureText.oneOf ?? []).map(value => ({ value, label: `${value}\u202fpt` }));

/**
 * The controls, kept in step with the settings.
 * @param {import('../state/settings.js').Settings} settings
 * @param {AbortSignal} life ends it
 */
export function figureControls(settings, life) {
  /** @param {string} name @param {string} label @param {{value: string, label: string}[]} options */
  const control = (name, label, options) => {
    const made = new SegmentedControl();
    made.ariaLabel = label;
    made.options = options;
    listen(made, 'valuechange', value => settings.set({ [name]: value }));
    return made;
  };
  const width = control('figureWidth', 'Width of charts', WIDTHS);
  const text = control('figureText', 'Text of charts', TEXTS);
  const title = new ToggleSwitch();
  title.label = 'Title and unit';
  listen(title, 'valuechange', figureTitle => settings.set({ figureTitle }));
  const draw = () => {
    width.value = settings.get('figureWidth');
    text.value = settings.get('figureText');
    text.hidden = width.value === 'screen';
    title.checked = settings.get('figureTitle');
  };
  settings.on(['figureWidth', 'figureText', 'figureTitle'], draw, life);
  draw();
  return h('div', { class: 'figure-size' }, width, text, title);
}
