/** The words of playlists, of their projection and of votes, as those of lessons (`en.js`). */
import { plural } from '../../util/format.js';

export const LECTURES = {
  vote: {
    group: 'Votes of the class',
    off: 'Votes need single-key shortcuts, which are off: turn them on in the search (Ctrl+K) of the lab.',
    how: 'Each choice has its key: a press counts a vote, Backspace takes the last one back.',
    /** @param {number} n */
    total: n => plural(n, 'vote'),
    /** @param {string} key @param {string} label */
    add: (key, label) => `Vote ${key}: ${label}`,
    right: 'right',
  },

  playlist: {
    label: 'Playlist',
    group: 'Lectures',
    name: 'Name of the playlist',
    present: 'Present',
    save: 'Save as a file',
    remove: 'Delete',
    open: 'Open a playlist…',
    add: 'Add to playlist',
    fresh: 'New playlist',
    firstName: 'My lecture',
    /** @param {string} title @param {string} name */
    added: (title, name) => `${title} is in “${name}” now.`,
    restore: 'Restore',
    notSaved: 'The change is not saved: the playlist is as it was.',
    /** @param {string} name @param {number} most */
    full: (name, most) => `“${name}” has ${most} parts, as many as a playlist can have`,
    fullHint: 'Choose “New playlist”, or remove a part.',
    /** @param {string} title */
    removed: title => `Removed: ${title}`,
    lastPart: 'A playlist has one part at least. Delete the playlist instead.',
    badMinutes: 'A part takes 1 to 600 minutes.',
    noTitle: 'A part needs a title.',
    fields: { title: 'Title', minutes: 'Minutes', note: 'What to say and to ask' },
    /** @param {string} field @param {number} n from 1 */
    field: (field, n) => `${field}, part ${n}`,
    /** @param {number} n from 1 @param {string} message @param {string} hint */
    problem: (n, message, hint) => `Part ${n} cannot be shown here: ${message}${hint ? ` (${hint})` : ''}`,
    saved: 'The playlist is saved as a file',
    /** @param {string} file @param {string} message */
    damaged: (file, message) => `${file} is not a playlist: ${message}`,
    damagedHint: 'Open a file that “Save as a file” made. Your playlists are as they were.',
  },

  lecture: {
    next: 'Go on',
    reveal: 'Reveal',
    nextPart: 'Next part',
    end: 'End of the list',
    labels: { back: 'Back', cover: 'Black', leave: 'Leave' },
    list: 'To the playlist',
    /** @param {number} n from 1 @param {number} of */
    part: (n, of) => `Part ${n} of ${of}`,
    /** @param {number} from @param {number} to */
    minutes: (from, to) => `${from}–${to} min`,
    black: 'The screen is black.',
    missing: 'This playlist is not in this lab',
    missingHint: 'Open its file in Learn.',
  },
};
