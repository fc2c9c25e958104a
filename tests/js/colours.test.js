import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

const css = name => readFileSync(new URL(`../../lab_ui/css/${name}`, import.meta.url), 'utf8');
const variables = css('variables.css');
const rules = css('components/token_text.css');

/** Colours of a theme by name. */
function theme(selector) {
  const block = variables.slice(variables.indexOf(`${selector} {`)).split('}')[0];
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name, value]) => [name, value]));
}

const linear = hex =>
  [1, 3, 5]
    .map(at => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map(c => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
const luminance = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
const contrast = (a, b) => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

function oklab([r, g, b]) {
  const [l, m, s] = [
    0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b,
    0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b,
    0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b,
  ].map(Math.cbrt);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromOklab([L, a, b]) {
  const [l, m, s] = [
    L + 0.3963377774 * a + 0.2158037573 * b,
    L - 0.1055613458 * a - 0.0638541728 * b,
    L - 0.0894841775 * a - 1.291485548 * b,
  ].map(c => c ** 3);
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

const distance = (a, b) => 100 * Math.hypot(...oklab(a).map((c, n) => c - oklab(b)[n]));
const mixed = (a, b, share) => fromOklab(oklab(a).map((c, n) => c * (1 - share) + oklab(b)[n] * share));

const SETS = { t: 4, id: 8, len: 5, rank: 6, grey: 2 };
const CLASSES = { id: ['i'], len: ['l'], rank: ['r'] };

/** How the stylesheet makes the second shade: which classes go away from the paper, and by how much. */
const [, towardsPaper] = rules.match(/\.shade\.odd \{[^}]*var\(--panel\) (\d+)%/).map(Number);
const [, away, awayBy] = rules.match(/\.shade\.odd:is\(([^)]*)\) \{[^}]*var\(--ink\) (\d+)%/);

for (const [name, selector] of [
  ['light', ':root'],
  ['dark', ':root[data-theme="dark"]'],
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
