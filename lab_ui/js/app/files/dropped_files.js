/**
 * The files that were dropped, those inside of folders too.
 *
 * @typedef {{file: File, path: string}} DroppedFile `path`: its name, after those of the folders it was in
 */

const MOST = 10_000;

/**
 * Lists the dropped files by path. Call it in the event: what was dropped is gone after it.
 * @param {DataTransfer} data
 * @returns {Promise<DroppedFile[]>}
 * @throws {Error} if there are more than 10 000
 */
export function droppedFiles(data) {
  const entries = [...data.items].map(item => item.webkitGetAsEntry?.()).filter(Boolean);
  return entries.length
    ? walk(/** @type {FileSystemEntry[]} */ (entries))
    : Promise.resolve([...data.files].map(file => ({ file, path: file.name })));
}

/** @param {FileSystemEntry[]} entries @returns {Promise<DroppedFile[]>} */
async function walk(entries) {
  const found = [];
  const waiting = [...entries];
  for (let entry = waiting.shift(); entry; entry = waiting.shift()) {
    if (entry.name.startsWith('.')) continue; // hidden files of the system
    if (entry.isDirectory) waiting.push(...(await children(/** @type {FileSystemDirectoryEntry} */ (entry))));
    else found.push(await opened(/** @type {FileSystemFileEntry} */ (entry)));
    if (found.length > MOST)
      throw Object.assign(new Error(`The folder holds more than ${MOST} files.`), {
        hint: 'Add it by its path: then its files stay where they are.',
      });
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A folder is read in parts, until one is empty. @param {FileSystemDirectoryEntry} folder */
async function children(folder) {
  const reader = folder.createReader();
  const all = [];
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!part.length) return all;
    all.push(...part);
  }
}

/** @param {FileSystemFileEntry} entry @returns {Promise<DroppedFile>} */
const opened = entry =>
  new Promise((resolve, reject) =>
    entry.file(file => resolve({ file, path: entry.fullPath.replace(/^\//, '') }), reject),
  );
