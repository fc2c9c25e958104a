/**
 * Runs many test files in one process: to start Node, and to read happy-dom, for each of them takes as long as all
 * their tests. `npm test` runs three such processes; `node --test tests/js/X.test.js` runs one file alone.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe } from 'node:test';

const names = readdirSync(import.meta.dirname).filter(name => name.endsWith('.test.js'));
const hasPage = name => readFileSync(new URL(name, import.meta.url), 'utf8').includes("'./page.js'");
/** Files that have a page, every other one, and those that have none: a page would be there for them as well. */
const GROUPS = {
  page1: names.filter(hasPage).filter((_, i) => i % 2),
  page2: names.filter(hasPage).filter((_, i) => i % 2 === 0),
  none: names.filter(name => !hasPage(name)),
};

/** Each file is a suite, so that its hooks are called for its own tests alone. @param {keyof GROUPS} group */
export function runAll(group) {
  for (const name of GROUPS[group]) describe(name, () => import(`./${name}`));
}
