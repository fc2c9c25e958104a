/**
 * The script of a handout: a page with the engine, a lesson or a text, and tokenizers, in one file or with its parts
 * beside it. It asks no other server. `lab_app/services/handouts` makes it.
 *
 * @typedef {import('./contents.js').HandoutTokenizer & {number: number}} UsedTokenizer `number`: the engine's
 */
import { words } from '../lessons/words/index.js';
import { h, listen } from '../ui/dom.js';
import { problemWords } from '../util/format.js';
import { addressOf, readAddress } from './address.js';
import { contents, engineModule, tokenizerState } from './contents.js';
import { PageEngine } from './engine.js';
import { ExercisesPage, sheetWords } from './exercises_page.js';
import { LessonPage } from './lesson_page.js';
import { Refusal } from './parts.js';
import { TextPage } from './text_page.js';

const OTHERS_NAMED = 200;
/** How long a page rests before the address says it: browsers limit how often it changes. */
const REST_MS = 400;

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => {
  document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light';
};
follow();
dark.addEventListener('change', follow);

const { handout } = words;
/** What a page from disk needs: it is not served, so its parts are out of reach. */
const waiting = document.getElementById('waiting');
waiting?.remove();
const main = h('main', { class: 'handout', tabIndex: -1 }, h('p', { role: 'status' }, handout.starting));
document.body.append(main);
/** @param {Error} error */
const fail = error => {
  if (waiting && location.protocol === 'file:') return main.replaceChildren(waiting);
  const refusal = new Refusal();
  main.replaceChildren(refusal);
  refusal.show(handout.failed, problemWords(error));
};
/** Whether this browser runs the engine. */
const hasEngine = typeof WebAssembly !== 'undefined' && typeof DecompressionStream !== 'undefined';
start().catch(fail);

async function start() {
  const all = await contents();
  /** Exercises need none. @type {Promise<PageEngine>|undefined} */
  let started;
  const engine = () => {
    started ??= engineModule().then(module => PageEngine.start(module));
    started.catch(() => (started = undefined)); // asked for again by the next visit
    return started;
  };
  /** Those that were shown, with their numbers in the engine. @type {Map<string, Promise<UsedTokenizer>>} */
  const used = new Map();
  const use = async (/** @type {string} */ id) => {
    const n = all.tokenizers.findIndex(tokenizer => tokenizer.id === id);
    const tokenizer = all.tokenizers[n];
    return { ...tokenizer, number: (await engine()).load(await tokenizerState(n), tokenizer.covered) };
  };
  const usedOnce = (/** @type {string} */ id) => {
    const found = used.get(id) ?? use(id);
    used.set(id, found);
    found.catch(() => used.delete(id));
    return found;
  };
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let writing;
  let visits = 0;
  /** Shows what the address says, unless it says something else before the parts are here. */
  const visit = async () => {
    const number = ++visits;
    const isOver = () => number !== visits;
    try {
      await show(isOver);
    } catch (error) {
      if (!isOver()) throw error;
    }
  };
  const show = async (/** @type {() => boolean} */ isOver) => {
    clearTimeout(writing);
    const { show: name, ...place } = readAddress(location.hash);
    const subject = all.subjects.length === 1 ? all.subjects[0] : all.subjects.find(each => each.name === name);
    if (!subject) return main.replaceChildren(startPage(all));
    if (subject.tokenizers.length > 0 && !hasEngine) throw new Error(handout.old); // exercises need none
    const tokenizers = await Promise.all(subject.tokenizers.map(usedOnce));
    const running = subject.exercises ? null : await engine();
    if (isOver()) return;
    const { page, begin } = running
      ? pageOf(running, subject, place, tokenizers)
      : sheetPage(/** @type {import('./contents.js').SheetContents} */ (subject.exercises));
    const own = (subject.lesson ?? subject.encoded)?.text;
    listen(page, 'place', shown => {
      if (isOver() || location.protocol === 'about:') return; // the latter: a cell of a notebook
      clearTimeout(writing);
      writing = setTimeout(() => history.replaceState(null, '', addressOf(subject.name, shown, own)), REST_MS);
    });
    const back = all.subjects.length > 1 && h('nav', { class: 'handout-back' }, h('a', { href: '#' }, handout.all));
    main.replaceChildren(...(back ? [back] : []), page, footOf(all.lab, tokenizers));
    begin();
  };
  addEventListener('hashchange', () =>
    visit()
      .then(() => main.focus())
      .catch(fail),
  );
  await visit();
  document.documentElement.dataset.state = 'ready';
}

/** @param {import('./contents.js').SheetContents} exercises */
function sheetPage(exercises) {
  const page = new ExercisesPage();
  return { page, begin: () => page.start(exercises) };
}

/**
 * The page of a subject, and what fills it once it is in the document.
 * @param {PageEngine} engine @param {import('./contents.js').Subject} subject
 * @param {Partial<import('./address.js').Place>} place of the address @param {UsedTokenizer[]} tokenizers
 */
function pageOf(engine, { lesson, encoded }, place, tokenizers) {
  if (lesson) {
    const page = new LessonPage();
    // What the lab alone knows is of its own text; a conversation is no text of one's own.
    const isOwn = lesson.has_text && place.text !== undefined && place.text !== lesson.text;
    const text = isOwn ? { text: place.text ?? '', facts: {} } : { text: lesson.text };
    return { page, begin: () => page.start(engine, { ...lesson, ...place, ...text }, tokenizers[0]) };
  }
  const page = new TextPage();
  const shown = { .../** @type {import('./contents.js').TextContents} */ (encoded), ...place };
  return { page, begin: () => page.start(engine, shown, tokenizers) };
}

/** The list of subjects. @param {import('./contents.js').Contents} contents */
function startPage({ lab, subjects, tokenizers, guide }) {
  document.title = lab;
  const nameOf = (/** @type {string} */ id) => tokenizers.find(tokenizer => tokenizer.id === id)?.name ?? id;
  return h(
    'div',
    { class: 'handout-start' },
    h('h1', {}, lab),
    h('p', {}, handout.welcome, ' ', guide && h('a', { href: guide }, handout.guide)),
    h(
      'ul',
      {},
      ...subjects.map(({ name, lesson, exercises, tokenizers: ids }) => {
        const tokens = { title: handout.tokens(ids.map(nameOf).join(', ')), rule: '' };
        const { title, rule } = lesson ? words.lessons[lesson.name] : exercises ? sheetWords(exercises) : tokens;
        return h('li', {}, h('a', { href: `#show=${name}` }, title), h('p', { class: 'dim' }, rule));
      }),
    ),
  );
}

/** @param {string} lab @param {import('./contents.js').HandoutTokenizer[]} tokenizers */
const footOf = (lab, tokenizers) =>
  h(
    'footer',
    { class: 'handout-foot dim' },
    ...[...new Set(tokenizers)].map(tokenizer => h('p', {}, `${coverageOf(tokenizer)} ${handout.licence(tokenizer)}`)),
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
