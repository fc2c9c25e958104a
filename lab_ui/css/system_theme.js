/**
 * The theme of the system, before the first paint: the page would be light until the settings are read. A classic
 * script before the style sheets; `js/app/theme.js` sets the theme that the settings say.
 */
document.documentElement.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
