/** Recognises the files of a tokenizer among files that were opened or dropped, so that they are not read as a text. */

const NAMES = /\.(model|tiktoken|gguf)$|^tekken\.json$/i;
const VOCABULARY = /^(vocab|encoder)\.json$/i;
const MERGES = /^(merges\.txt|vocab\.bpe)$/i;
const MOST_BYTES = 512_000_000;

/**
 * Whether files that came together are a tokenizer's: by their names, or by a JSON with the vocabulary of a model. A
 * `vocab.txt` alone may be any text.
 * @param {File[]} files
 */
export async function areTokenizer(files) {
  /** @param {RegExp} pattern */
  const has = pattern => files.some(({ name }) => pattern.test(name));
  if (has(NAMES) || (has(VOCABULARY) && has(MERGES))) return true;
  for (const file of files) if (await isTokenizerJson(file)) return true;
  return false;
}

/** @param {File} file */
async function isTokenizerJson(file) {
  if (!/\.json$/i.test(file.name) || file.size > MOST_BYTES) return false;
  const text = await file.text();
  if (!text.includes('"vocab"')) return false; // most files need not be parsed
  try {
    return Boolean(JSON.parse(text)?.model?.vocab);
  } catch {
    return false;
  }
}
