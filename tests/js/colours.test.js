import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { contrast, distance, lightness, linear, mixed, seen } from './colour_distance.js';

const css = name => readFileSync(new URL(`../../lab_ui/css/${name}`, import.meta.url), 'utf8');
const variables = css('variables.css');
const rules = css('components/token_text.css');

/** Colours of a theme by name. */
function theme(selector) {
  const block = variables.slice(variables.indexOf(`${selector} {`)).split('}')[0];
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name, value]) => [name, value]));
}

const SETS = { t: 4, id: 8, len: 5, rank: 6, grey: 2 };
const CLASSES = { id: ['i'], len: ['l'], rank: ['r'] };

/** How the stylesheet makes the second shade: which classes go away from the paper, and by how much. */
const [, towardsPaper] = rules.match(/\.shade\.odd \{[^}]*var\(--panel\) (\d+)%/).map(Number);
const [, away, awayBy] = rules.match(/\.shade\.odd:is\(([^)]*)\) \{[^}]*var\(--ink\) (\d+)%/);

for (const [name, selector] of [
  ['light', ':root,\n.on-paper,\n[data-palette="light"]'],
  ['dark', ':root[data-theme="dark"],\n[data-palette="dark"]'],
]) {
  test(`text on every colour of a token can be read, ${name}`, () => {
    const colours = theme(selector);
    const ink = linear(colours['token-ink']);
    for (const [set, size] of Object.entries(SETS)) {
      for (let n = 0; n < size; n++) {
        const base = linear(colours[`${set}${n}`]);
        assert.ok(contrast(base, ink) >= 5, `${set}${n}: ${contrast(base, ink).toFixed(2)}`);
        for (const letter of CLASSES[set] ?? []) {
          const second = away.split(', ').includes(`.${letter}${n}`)
            ? mixed(base, linear(colours.ink), Number(awayBy) / 100)
            : mixed(base, linear(colours.panel), towardsPaper / 100);
          assert.ok(contrast(second, ink) >= 4.5, `second ${letter}${n}: ${contrast(second, ink).toFixed(2)}`);
          assert.ok(
            distance(base, second) >= 3,
            `the two shades of ${letter}${n} differ by ${distance(base, second).toFixed(1)}`,
          );
        }
      }
    }
  });

  test(`the four colours by position are equally light, and neighbours differ in all kinds of vision, ${name}`, () => {
    const colours = theme(selector);
    const four = [0, 1, 2, 3].map(n => linear(colours[`t${n}`]));
    const light = four.map(lightness);
    assert.ok(Math.max(...light) - Math.min(...light) <= 0.025, `no colour weighs more: ${light}`);
    four.forEach((colour, n) => {
      const next = seen(four[(n + 1) % 4]);
      for (const [vision, own] of Object.entries(seen(colour))) {
        const apart = distance(own, next[vision]);
        assert.ok(apart >= 8, `${vision} t${n}: ${apart.toFixed(1)}`);
      }
    });
  });

  test(`any two colours of a set can be told apart, ${name}`, () => {
    const colours = theme(selector);
    for (const [set, size] of Object.entries(SETS).filter(([set]) => set !== 't')) {
      // by position only neighbours have to differ
      for (let n = 0; n < size; n++) {
        for (let m = 0; m < n; m++) {
          const apart = distance(linear(colours[`${set}${n}`]), linear(colours[`${set}${m}`]));
          assert.ok(apart >= 4.5, `${set}${m} and ${set}${n}: ${apart.toFixed(1)}`);
        }
      }
    }
  });

  test(`what was lost and added can be read on the panel, ${name}`, () => {
    const colours = theme(selector);
    for (const role of ['good', 'bad']) assert.ok(contrast(linear(colours[role]), linear(colours.panel)) >= 4.5, role);
    assert.ok(contrast(linear(colours.accent), linear(colours['on-accent'])) >= 4.5, 'flags of marks');
  });
}
