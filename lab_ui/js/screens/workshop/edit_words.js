/** An edit in words: what it is given, and what it did. What kinds and options are called, the backend says. */
import { count, percent, plural } from '../../util/format.js';
/** @import {EditKind, EditProgress, StepEffect} from '../../api/schema.d.ts' */

/** @typedef {import('../../api/edits.js').Edit} Edit */

/** What an edit is given, in a line. @param {Edit} edit @param {EditKind} [kind] undefined: not known yet */
export function givenWords({ kind: _kind, on: _on, ...options }, kind) {
  return Object.entries(options)
    .map(([name, value]) =>
      Array.isArray(value) ? listWords(value) : valueWords(kind?.options[name]?.label ?? name, value),
    )
    .filter(Boolean)
    .join(' · ');
}

/** @param {any[]} list */
const listWords = list =>
  list
    .slice(0, 3)
    .map(one => (typeof one === 'object' ? one.type : typeof one === 'number' ? `#${one}` : one))
    .join(', ') + (list.length > 3 ? ` and ${count(list.length - 3)} more` : '');

/** @param {string} label @param {any} value */
function valueWords(label, value) {
  const name = label.split(',')[0];
  if (typeof value === 'boolean') return `${name}: ${value ? 'yes' : 'no'}`;
  if (typeof value === 'number') return `${name}: ${count(value)}`;
  return value;
}

/** What an edit did, in words. @param {StepEffect|undefined} effect undefined: it waits for one that refused */
export function effectWords(effect) {
  if (!effect) return 'not measured';
  if (!effect.on) return 'off: not measured';
  const parts = [
    effect.kind === 'rename_token' && '1 token renamed',
    effect.added && `+${count(effect.added)}`,
    effect.removed && `−${count(effect.removed)}`,
    effect.moved && `${plural(effect.moved, 'ID')} move`,
  ].filter(Boolean);
  return parts.length ? `${parts.join('  ')} · ${count(effect.vocab_size)} tokens` : 'no token changed';
}

/** What is under way. @param {EditProgress} progress @param {string} [name] of the edit */
export function progressWords({ edit, done_bytes: done, total_bytes: total }, name) {
  const part = total ? `, ${percent(done / total)}` : '';
  const work = edit === null ? 'Measuring' : `Edit ${edit}${name ? `, ${name}` : ''}`;
  return `${work}${part}… The figures are of the edits before. Esc to stop`;
}
