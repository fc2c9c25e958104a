/** Entries of the catalog for tests of what lists them: installed ones, those to download, and one of the user. */

/** @param {string} id @param {string} name @param {Object<string, any>} facts */
const entry = (id, name, facts) =>
  /** @type {any} */ ({
    id,
    name,
    family: 'byte-level BPE',
    origin: null,
    source: 'built in',
    licence: 'MIT',
    available: true,
    problem: null,
    vocab_size: 50_257,
    size_bytes: 1_000_000,
    special_tokens: [],
    ...facts,
  });
const away = { available: false, source: 'downloaded', size_bytes: 2_000_000 };

export const BERT = entry('bert-base-uncased', 'BERT base, uncased', { family: 'WordPiece', vocab_size: 30_522 });
export const GPT2 = entry('gpt2', 'GPT-2', { origin: 'OpenAI, r50k_base.tiktoken' });
export const O200K = entry('o200k_harmony', 'o200k_harmony (gpt-oss)', {
  origin: 'OpenAI, o200k_base.tiktoken',
  vocab_size: 200_019,
  licence: null,
});
export const T5 = entry('t5', 'T5 base', {
  ...away,
  family: 'Unigram',
  origin: 'google-t5/t5-base',
  vocab_size: 32_100,
});
export const MT5 = entry('mt5', 'mT5 base', {
  ...away,
  family: 'Unigram',
  origin: 'google/mt5-base',
  vocab_size: 250_100,
});
export const PHI = entry('phi-2', 'Phi-2', { ...away, origin: 'microsoft/phi-2', vocab_size: 50_295 });
export const MINE = entry('mine', 'mine', { source: 'added', family: null, vocab_size: 7 });

/** In the order of the catalog. */
export const ENTRIES = [BERT, GPT2, O200K, T5, MT5, PHI, MINE];
