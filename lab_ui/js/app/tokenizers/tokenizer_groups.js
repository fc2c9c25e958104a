/** Groups the catalog: the user's tokenizers, installed ones, those available to download. */
import { count, size } from '../../util/format.js';

/** @typedef {import('../../api/schema.d.ts').CatalogEntry} Entry */

/** The groups in their order. */
export const GROUPS = [
  { name: 'yours', label: 'Your tokenizers' },
  { name: 'here', label: 'Installed' },
  { name: 'away', label: 'Available to download' },
];

const MADE_BY_THE_USER = ['added', 'composed'];
const REFERENCE = /^(?:hub:|https?:\/\/[^/\s]+\/)?(\w[\w.-]*\/\w[\w.-]*(?:@[^\s:@]+)?(?::[^\s:@/]+)?)$/;

/** Whether a tokenizer must be downloaded first. @param {Entry} entry */
export const isAway = entry => !entry.available && !entry.problem;

/** @param {Entry} entry @returns {string} the name of its group */
export const groupOf = entry => (isAway(entry) ? 'away' : MADE_BY_THE_USER.includes(entry.source) ? 'yours' : 'here');

/**
 * @param {Entry[]} entries
 * @returns {{name: string, label: string, entries: Entry[]}[]} the groups that have entries, in their order
 */
export const grouped = entries =>
  GROUPS.map(group => ({ ...group, entries: entries.filter(entry => groupOf(entry) === group.name) })).filter(
    group => group.entries.length,
  );

/**
 * Returns the repository of the Hugging Face Hub that a text names, or null.
 * @param {string} text `OWNER/NAME`, `OWNER/NAME@REVISION`, `OWNER/NAME:FILE` or the address of its page
 */
export const repositoryIn = text => REFERENCE.exec(text.trim())?.[1] ?? null;

/** Whether a tokenizer of this repository can be used already. @param {Entry[]} entries @param {string} reference */
export const isHere = (entries, reference) =>
  entries.some(entry => entry.available && entry.source === 'downloaded' && entry.repository === reference);

/** @param {Entry} entry @returns {string} its family, size and licence in one line */
export function entryWords(entry) {
  const facts = isAway(entry)
    ? [
        'Available to download',
        entry.size_bytes && size(entry.size_bytes),
        entry.gated && 'asks you to accept its terms',
      ]
    : [entry.vocab_size && `${count(entry.vocab_size)} tokens`];
  return [entry.family, ...facts, entry.licence].filter(Boolean).join(' · ');
}
