/** Every kind of work that the backend starts has a verb in the tray. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import './page.js';

const { JobTray } = await import('../../lab_ui/js/app/frame/job_tray.js');
const SERVICES = new URL('../../lab_app/services/', import.meta.url);

/** The kinds of jobs in the sources of the services: arguments of `submit`, and the kinds of costs. */
function kinds() {
  const text = readdirSync(SERVICES, { recursive: true, encoding: 'utf-8' })
    .filter(name => name.endsWith('.py'))
    .map(name => readFileSync(new URL(name, SERVICES), 'utf-8'))
    .join('\n');
  const costs = /CostKind = Literal\[(.*?)\]/s.exec(text)?.[1] ?? '';
  return [...text.matchAll(/\bsubmit\(\s*"(\w+)"/g), ...costs.matchAll(/"(\w+)"/g)].map(match => match[1]);
}

test('every kind of job has a verb', () => {
  const tray = new JobTray();
  document.body.append(tray);
  const found = [...new Set(kinds())];
  assert.ok(
    ['fetch', 'analysis', 'conformance', 'trainers'].every(kind => found.includes(kind)),
    String(found),
  );
  for (const kind of found) {
    tray.jobs = [{ id: kind, kind, title: 'work', state: 'running', done: 0, total: 0, unit: 'bytes' }];
    const label = tray.querySelector('progress').getAttribute('aria-label');
    assert.doesNotMatch(label, /^Working on/, kind);
  }
});

test('an interrupted job is started again or dismissed', () => {
  const tray = new JobTray();
  document.body.append(tray);
  const asked = [];
  for (const name of ['stop', 'restart']) tray.addEventListener(name, event => asked.push([name, event.detail]));
  tray.jobs = [{ id: '1', kind: 'analysis', title: 'udhr', state: 'interrupted', done: 0, total: null, unit: 'bytes' }];
  const [restart, dismiss] = tray.querySelectorAll('button');
  assert.equal(restart.textContent, 'Start again');
  assert.equal(dismiss.getAttribute('aria-label'), 'Dismiss analyzing udhr');
  assert.equal(tray.querySelector('progress'), null);
  restart.click();
  dismiss.click();
  assert.deepEqual(asked, [
    ['restart', '1'],
    ['stop', '1'],
  ]);
});
