/** The lessons of `tests/golden/lessons.json`, which the engine made, in the form in which the page gets them. */
import { readFileSync } from 'node:fs';

export const EXAMPLES = JSON.parse(readFileSync(new URL('../golden/lessons.json', import.meta.url), 'utf8'));

/** @param {string} name @param {any[]} [frames] others than those of the engine */
export function lessonOf(name, frames = EXAMPLES[name].frames) {
  const parts = frames.map(frame => new TextEncoder().encode(JSON.stringify(frame)));
  let end = 0;
  const ends = Uint32Array.from(parts, part => (end += part.length));
  const joined = new Uint8Array(end);
  parts.forEach((part, n) => joined.set(part, n ? ends[n - 1] : 0));
  return { facts: EXAMPLES[name].facts, frames: joined, ends };
}
