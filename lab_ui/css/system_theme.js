/**
 * The theme of the system, before the first paint: the page would be light until the settings are read. A chosen theme
 * is in the page already. A classic script before the style sheets; `js/app/frame/theme.js` follows the settings.
 */
document.documentElement.dataset.theme ||= matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
