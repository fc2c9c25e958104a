import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { contrast, distance, linear, mixed } from './colour_distance.js';

const read = path => readFileSync(new URL(`../../lab_ui/css/${path}`, import.meta.url), 'utf8');
const css = read('components/presentation.css');
const variables = read('variables.css');
const [, share] = css.match(/\.current-line \{\s*background: color-mix\(in oklab, var\(--hue\) (\d+)%/).map(Number);
const LETTERS = [...'abcdefgh'];
const shadesOf = letter => [0, 1].map(n => (letter === 'g' ? `gg${n}` : `${letter}${n}`));

for (const palette of ['light', 'dark']) {
  // Those of the lab, but for what a projector needs otherwise.
  const blocks = [variables, css].map(
    sheet => sheet.slice(sheet.indexOf(`[data-palette="${palette}"] {`)).split('}')[0],
  );
  const colours = Object.fromEntries(
    [...blocks.join('').matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name, value]) => [name, linear(value)]),
  );
  const readable = (text, ground, what) => assert.ok(contrast(text, ground) >= 7, `${what}: ${contrast(text, ground)}`);

  test(`every text of the ${palette} palette has a contrast of 7 or more`, () => {
    for (const ground of ['panel', 'sunken'])
      for (const text of ['ink', 'ink-2', 'ink-3']) readable(colours[text], colours[ground], `${text} on ${ground}`);
    for (const ground of ['g0', 'g1', ...LETTERS.flatMap(shadesOf)])
      readable(colours.ink, colours[ground], `a token on ${ground}`);
    for (const ink of ['unknown', 'unknown-ink']) readable(colours[ink], colours['unknown-soft'], `a token in ${ink}`);
    for (const letter of LETTERS) {
      readable(colours[letter], colours.panel, `${letter} on the page`);
      readable(colours[letter], mixed(colours.panel, colours[letter], share / 100), `${letter} on the current line`);
      for (const ink of ['ink', 'ink-2'])
        readable(colours[ink], mixed(colours.panel, colours[letter], share / 100), `${ink} on the line of ${letter}`);
    }
  });

  test(`neighbouring blocks of the ${palette} palette differ`, () => {
    const differ = (a, b) =>
      assert.ok(distance(colours[a], colours[b]) >= 6.5, `${a} ${b}: ${distance(colours[a], colours[b])}`);
    const greys = ['g0', 'g1'];
    differ(...greys);
    for (const shade of [...greys, ...LETTERS.flatMap(shadesOf)]) differ(shade, 'panel');
    for (const letter of LETTERS) {
      differ(...shadesOf(letter));
      for (const shade of shadesOf(letter)) for (const grey of greys) differ(shade, grey);
    }
  });
}
