/**
 * The script of a handout: one HTML file with the engine, a lesson or a text, and tokenizers. It asks no network.
 * `lab_app/services/handouts` makes the file.
 */
import { words } from '../lessons/words/index.js';
import { h } from '../ui/dom.js';
import { problemWords } from '../util/format.js';
import { contents, engineModule, tokenizerState } from './contents.js';
import { PageEngine } from './engine.js';
import { LessonPage } from './lesson_page.js';
import { Refusal } from './parts.js';
import { TextPage } from './text_page.js';

const OTHERS_NAMED = 200;

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => {
  document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light';
};
follow();
dark.addEventListener('change', follow);

const { handout } = words;
const main = h('main', { class: 'handout' }, h('p', { role: 'status' }, handout.starting));
document.body.append(main);
start().catch(error => {
  const refusal = new Refusal();
  main.replaceChildren(refusal);
  refusal.show(handout.failed, problemWords(error));
});

async function start() {
  if (typeof WebAssembly === 'undefined' || typeof DecompressionStream === 'undefined') throw new Error(handout.old);
  const { lab, lesson, encoded, tokenizers } = contents();
  const engine = await PageEngine.start(await engineModule());
  for (const [n, { covered }] of tokenizers.entries()) engine.load(await tokenizerState(n), covered);
  const page = lesson ? new LessonPage() : new TextPage();
  main.replaceChildren(page, footOf(lab, tokenizers));
  if (page instanceof LessonPage && lesson) page.start(engine, lesson, tokenizers[0].id);
  else if (page instanceof TextPage && encoded) page.start(engine, encoded, tokenizers);
  document.documentElement.dataset.state = 'ready';
}

/** @param {string} lab @param {import('./contents.js').HandoutTokenizer[]} tokenizers */
const footOf = (lab, tokenizers) =>
  h(
    'footer',
    { class: 'handout-foot dim' },
    ...tokenizers.map(tokenizer => h('p', {}, `${coverageOf(tokenizer)} ${handout.licence(tokenizer)}`)),
    ...[...new Set(tokenizers.map(({ notice }) => notice))].map(
      notice => notice && h('details', {}, h('summary', {}, handout.notice), h('pre', {}, notice)),
    ),
    h('p', {}, handout.made(lab)),
  );

/** @param {import('./contents.js').HandoutTokenizer} tokenizer */
function coverageOf(tokenizer) {
  const { covered, scripts, others } = tokenizer;
  if (covered === null) return handout.whole(tokenizer);
  const named = Array.from(others);
  const shown = named.slice(0, OTHERS_NAMED).join(' ') + (named.length > OTHERS_NAMED ? ' …' : '');
  const part = handout.part(tokenizer, handout.characters(scripts, shown));
  return tokenizer.is_renumbered ? `${part} ${handout.renumbered}` : part;
}
