/** One saved session in the list: its text, its tokenizers with their digests, and what changed since. */
import { confirmButton } from '../../ui/confirm_button.js';
import { actionButton, all, h, setText, update } from '../../ui/dom.js';
import { difference } from '../../text/figures.js';
import { count, plural, whenWords } from '../../util/format.js';
import { labelForm } from './label_form.js';
import { numbers, table } from '../../ui/table.js';

const LINES = 3; // of a text in the list
const SHORT_DIGEST = 12;
const READINGS = { text: 'ordinary text', parse: 'special token', reject: 'error' };

/**
 * @typedef {import('../../api/schema.d.ts').SessionSummary} SessionLine
 * @typedef {import('../../api/schema.d.ts').SessionChanges} SessionChanges
 * @typedef {{open: () => void, compare: () => void, save: () => void, remove: () => void, label:
 *   (label: {name: string|null, note: string}) => void}} Actions
 */

/**
 * Makes a card. A saved session never changes; `showChanges` adds what is found later.
 * @param {SessionLine} session @param {string} note that somebody wrote about it @param {Actions} actions
 */
export function sessionCard(session, note, actions) {
  const { id, name, saved_at: saved, text_characters: characters, beginning } = session;
  /** @param {string} label @param {() => void} handler */
  const button = (label, handler) => actionButton(label, handler, { 'aria-label': `${label}: ${name}` });
  const { button: edit, parts } = labelForm({ name, note }, actions.label);
  const shown = beginning.split('\n').slice(0, LINES).join('\n');
  return h(
    'li',
    { class: 'session', 'data-session': String(id) },
    h(
      'div',
      { class: 'session-head' },
      h('h3', {}, h('bdi', {}, name)),
      h('span', { class: 'dim' }, whenWords(saved)),
      h('span', { class: 'grow' }),
      button('Open', actions.open),
      button('Compare with current results', actions.compare),
      button('Save to a file', actions.save),
      edit,
      confirmButton({ label: 'Delete', name, handler: actions.remove }),
    ),
    ...parts,
    h('p', { class: 'session-text' }, h('bdi', {}, shown), characters > [...shown].length ? '…' : null),
    h('p', { class: 'dim session-settings' }, settingsWords(session)),
    table({
      columns: [
        'Tokenizer',
        'Source of its files',
        'SHA-256',
        numbers('Saved'),
        { label: 'Now', headClass: 'number change' },
        { label: 'Change', headClass: 'change' },
      ],
      rows: [],
    }),
    h('p', { class: 'dim session-changes', role: 'status' }),
  );
}

/** @param {SessionLine} session */
function settingsWords({ text_characters: characters, add_special_tokens: added, specials, lab_version: version }) {
  return [
    plural(characters, 'character'),
    added ? 'special tokens added' : 'no special tokens added',
    `text like <|endoftext|>: ${READINGS[specials]}`,
    version ? `lab ${version}` : 'version of the lab not recorded',
  ].join(' · ');
}

/**
 * Writes the table of a card, with what changed if that is known.
 * @param {HTMLElement} card @param {SessionLine} session @param {SessionChanges|undefined} found
 */
export function showChanges(card, session, found) {
  card.dataset.compared = String(Boolean(found));
  const [body] = all(card, 'tbody');
  update(
    body,
    session.results,
    ({ tokenizer }) => tokenizer,
    row,
    (element, { tokenizer }) =>
      showChange(
        element,
        found?.changes.find(change => change.tokenizer === tokenizer),
      ),
  );
  const [note] = all(card, '.session-changes');
  setText(note, found ? changesWords(found) : '');
  note.hidden = !found;
}

/** @param {SessionChanges} found */
export function changesWords({ changes, lab_version_before: before, lab_version_now: now }) {
  const others = changes.filter(({ same }) => !same).length;
  const summary = others ? `${count(others)} of ${plural(changes.length, 'tokenizer')} differ` : 'No changes';
  return `${summary}: saved with lab ${before ?? 'of an unknown version'}, compared with lab ${now}.`;
}

/** @param {import('../../api/schema.d.ts').SessionResult} result */
function row({ tokenizer, sha256, origin, revision, count: tokens }) {
  const source = [origin, revision?.slice(0, SHORT_DIGEST)].filter(Boolean).join('@');
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, h('bdi', {}, tokenizer)),
    h('td', { title: revision ?? '' }, h('bdi', {}, source || 'added from a file')),
    h('td', { class: 'digest', title: sha256 ?? '' }, sha256?.slice(0, SHORT_DIGEST) ?? '–'),
    h('td', { class: 'number' }, count(tokens)),
    h('td', { class: 'number change', 'data-role': 'now' }),
    h('td', { class: 'change', 'data-role': 'change' }),
  );
}

/** @param {HTMLElement} element @param {import('../../api/schema.d.ts').SessionChange|undefined} change */
function showChange(element, change) {
  const [now] = all(element, '[data-role=now]');
  const [text] = all(element, '[data-role=change]');
  setText(now, change ? count(change.count_now) : '');
  setText(text, change ? changeWords(change) : '');
  text.classList.toggle('warning', change?.same === false || Boolean(change?.problem));
}

/** @param {import('../../api/schema.d.ts').SessionChange} change */
function changeWords({ count_before: before, count_now: now, same, first_difference: first, files_changed, problem }) {
  const summary =
    problem ?? (same ? 'same IDs' : `${difference(now, before)}, from token ${count((first ?? 0) + 1)} on`);
  return files_changed ? `${summary}; its files have changed` : summary;
}
