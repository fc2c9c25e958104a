/** Names of tokenizers short enough for a sentence. */

/** Shortens one name: "BERT base, uncased" is "BERT", "cl100k_base (GPT-4)" is "cl100k_base". @param {string} name */
const shortened = name => {
  const [first] = (name.split('/').at(-1) ?? name).split(/,| \(/);
  return first.replace(/ (base|large|small)$/i, '').trim() || name;
};

/**
 * Shortens the names of tokenizers in use. Names that would become the same stay as they are.
 * @param {string[]} names
 * @returns {string[]}
 */
export function namesInWords(names) {
  const short = names.map(shortened);
  return names.map((name, n) => (short.filter(other => other === short[n]).length > 1 ? name : short[n]));
}
