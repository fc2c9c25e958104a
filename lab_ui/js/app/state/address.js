/** The address of what is shown: takes over what a link says, and copies a link. */
import { LETTERS } from '../../text/slots.js';
import { linkTo } from './links.js';
import { LONGEST_TEXT } from './settings.js';
import { MOST_TOKENIZERS } from './shared_settings.js';

/**
 * Takes over what an address says; tokenizers that are not installed are named, the others are used.
 * @param {import('../context.js').Context} context
 * @param {Object<string, any>} values of settings
 * @param {string|null} text null: the address has none
 */
export function acceptLink(context, values, text) {
  const { settings, catalog, session } = context;
  /** @type {string[]} */
  const chosen = values.chosen ?? [];
  /** @type {string|null|undefined} */
  const active = values.active;
  const asked = active && !chosen.includes(active) ? [...chosen, active] : chosen;
  if (active && !chosen.length && catalog.isUsable(active)) catalog.add(active);
  const shown = active && !catalog.isUsable(active) ? { active: settings.get('active') } : {};
  const here = chosen.length ? asked.filter(id => catalog.entry(id)?.available) : [];
  const many = Math.max(0, here.length - MOST_TOKENIZERS);
  here.splice(-1 - many, many); // the last one is shown
  const letters = Object.fromEntries(here.slice(0, LETTERS.length).map((id, n) => [id, LETTERS[n]]));
  settings.accept({ ...values, ...shown, ...(here.length ? { chosen: here, letters } : { chosen: catalog.chosen }) });
  if (text !== null) session.setText(text, { name: 'Text from a link', encoding: 'UTF-8' });
  showMissing(context, asked);
}

/**
 * Says which tokenizers of an address are not installed.
 * @param {Pick<import('../context.js').Context, 'catalog'|'status'>} context @param {string[]} asked ids
 */
export function showMissing({ catalog, status }, asked) {
  const missing = asked.filter(id => !catalog.entry(id)?.available);
  if (missing.length)
    status.showError(
      Object.assign(
        new Error(`This link uses ${missing.join(', ')}, which ${missing.length === 1 ? 'is' : 'are'} not installed.`),
        { hint: 'Add it with “Add tokenizer”, then open the link again.' },
      ),
      { sticky: true },
    );
}

/**
 * A link that was pasted into the search: windows have no address bar.
 * @param {import('./router.js').Router} router @param {string} text
 * @returns {import('../commands/command.js').Command[]}
 */
export function openLink(router, text) {
  const address = router.addressIn(text);
  return address ? [{ label: 'Open this link', run: () => router.open(address) }] : [];
}

/**
 * A search of the vocabulary for what was typed into the search of commands.
 * @param {import('./router.js').Router} router @param {string} text
 * @returns {import('../commands/command.js').Command[]}
 */
export const findToken = (router, text) => [
  { label: `Find “${text}” in the vocabulary`, group: 'Vocabulary', run: () => router.go('vocabulary', { q: text }) },
];

/**
 * Copies a link to what is shown.
 * @param {import('../context.js').Context} context of the screen that is shown
 */
export async function copyLink({ settings, session, router, status, clipboard }) {
  const { screen } = router;
  // Not under the path of this run: the address "/" leads there in every run.
  const link = `${location.origin}/${linkTo(settings, screen, router.paramsOf(screen), session.text)}`;
  if (!(await clipboard.write(link))) {
    status.showError(
      Object.assign(new Error(`The link could not be copied: ${link}`), {
        hint: 'The browser blocked the clipboard. Copy the link from this message.',
      }),
    );
    return;
  }
  const message =
    session.text.length > LONGEST_TEXT || settings.leavesOut(screen)
      ? 'Link copied without the text, which is too long. Save a session in Reports to share it.'
      : 'Link copied. Paste it into Search in another window of the lab.';
  status.announce(message);
  status.progress(message);
}

/** Stores the path of this page, which every run chooses anew, so that the address "/" can lead here. */
export function storePath() {
  try {
    localStorage.setItem('lab-path', location.pathname);
  } catch {
    // A browser that stores nothing: there, the full address opens the lab.
  }
}
