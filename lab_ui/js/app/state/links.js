/**
 * Links to what is shown: `#/compare?t=gpt2&t=cl100k_base&specials=text`. A link says the settings that are not at
 * their defaults, and the text if it is short.
 */
import { hasHalfCharacter } from '../../util/utf8.js';
import { addressOf } from './router.js';
import { LONGEST_TEXT } from './settings.js';

const TEXT = 'text';

/**
 * @param {import('./settings.js').Settings} settings
 * @param {string} screen
 * @param {URLSearchParams} params the screen's own
 * @param {string} text left out if it is long, or if it holds half a character
 * @returns {string} the address, from `#` on
 */
export function linkTo(settings, screen, params, text) {
  const query = settings.toQuery(screen);
  for (const [name, value] of params) query.append(name, value);
  if (text.length <= LONGEST_TEXT && !hasHalfCharacter(text)) query.set(TEXT, text);
  return addressOf(screen, query);
}

/**
 * Splits the query of an address.
 * @param {import('./settings.js').Settings} settings those of the screen are declared
 * @param {string} screen
 * @param {URLSearchParams} query
 * @returns {{values: Object<string, any>, text: string|null, link: URLSearchParams, params: URLSearchParams}} `values`
 *   of settings by name; `link`: what names settings or the text; `params`: the screen's own
 */
export function readLink(settings, screen, query) {
  const linked = [...settings.urlNames(screen), TEXT];
  /** @param {boolean} isLink */
  const part = isLink => new URLSearchParams([...query].filter(([name]) => linked.includes(name) === isLink));
  const values = settings.fromQuery(screen, query);
  // A link that names tokenizers says everything: what it leaves out is at its default.
  const others = values.chosen?.length ? settings.usual(screen) : {};
  return { values: { ...others, ...values }, text: query.get(TEXT), link: part(true), params: part(false) };
}
