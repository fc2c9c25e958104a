/** Theme and text size of the page, as the settings say. */
import { setTextScale } from '../../editor/token_text.js';
import { TEXT_SIZES } from '../state/shared_settings.js';

/** @param {import('../state/settings.js').Settings} settings followed as long as the page lives */
export function followTheme(settings) {
  const root = document.documentElement;
  const systemDark = matchMedia('(prefers-color-scheme: dark)');
  const applyTheme = () => {
    const theme = settings.get('theme');
    root.dataset.theme = theme === 'system' ? (systemDark.matches ? 'dark' : 'light') : theme;
  };
  const applySize = () => {
    const scale = TEXT_SIZES[settings.get('textSize')];
    root.style.setProperty('--text-scale', String(scale));
    setTextScale(scale);
  };
  systemDark.addEventListener('change', applyTheme);
  settings.on(['theme'], applyTheme);
  settings.on(['textSize'], applySize);
  applyTheme();
  applySize();
}
