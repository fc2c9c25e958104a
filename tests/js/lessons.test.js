/** Lessons on the engine's own frames (tests/golden/lessons.json): states, figures, sentences, and the way of doing. */
import { forgotten } from './page.js'; // before what draws
import assert from 'node:assert/strict';
import test from 'node:test';
import { extent, Sheet } from '../../lab_ui/js/lessons/figures/sheet.js';
import { FrameStore } from '../../lab_ui/js/lessons/frame_store.js';
import { LessonView } from '../../lab_ui/js/lessons/lesson_view.js';
import { tokenName } from '../../lab_ui/js/lessons/names.js';
import { Player } from '../../lab_ui/js/lessons/player.js';
import { plain, say } from '../../lab_ui/js/lessons/say.js';
import { LESSONS, SCENES } from '../../lab_ui/js/lessons/scenes/index.js';
import { EN } from '../../lab_ui/js/lessons/words/en.js';
import { words } from '../../lab_ui/js/lessons/words/index.js';
import { paramsOf, stateOf, withSample } from '../../lab_ui/js/screens/learn/learn_state.js';
import { LEARN } from '../../lab_ui/js/screens/learn/settings.js';
import { count } from '../../lab_ui/js/util/format.js';
import { EXAMPLES, lessonOf } from './example_lessons.js';

/** The states by the definition: every change applied to copies, from the start. @param {any[]} frames */
function statesOf(frames) {
  let lists = {};
  return frames.map(({ now, key, lists: changes = {} }) => {
    lists = structuredClone(key ?? lists);
    for (const [name, splices] of Object.entries(changes))
      for (const [at, removed, ...items] of splices) lists[name].splice(at, removed, ...items);
    return { now, lists };
  });
}

/** Begins a lesson in the page. @param {string} name @param {'watch'|'do'} way @param {any[]} [frames] */
function viewOf(name, way, frames) {
  const view = new LessonView();
  document.body.replaceChildren(view);
  const scene = SCENES.find(each => each.name === name);
  view.show(scene, lessonOf(name, frames), { way });
  return view;
}

test('states are those of the definition, in any order', () => {
  for (const { name } of SCENES) {
    const { frames, ends } = lessonOf(name);
    const expected = statesOf(EXAMPLES[name].frames);
    const store = new FrameStore(frames, ends);
    const last = store.length - 1;
    for (const at of [
      last,
      0,
      1,
      last - 1,
      Math.floor(last / 2),
      ...expected.keys(),
      ...[...expected.keys()].reverse(),
    ])
      assert.deepEqual(store.state(at), expected[at], `${name}, step ${at}`);
  }
});

test('a state that was given stays as it is', () => {
  const { frames, ends } = lessonOf('bpe-encode');
  const store = new FrameStore(frames, ends);
  const first = store.state(1);
  const before = structuredClone(first);
  store.state(store.length - 1);
  assert.deepEqual(first, before);
  assert.throws(() => store.state(store.length), /the last is/);
});

test('a player stops at the ends, at stops and where a task waits', async () => {
  const player = new Player();
  player.load(10, [
    { at: 0, word: 'start' },
    { at: 4, word: 'middle' },
    { at: 9, word: 'done' },
  ]);
  player.step(-1);
  assert.equal(player.at, 0);
  player.stop(1);
  assert.equal(player.at, 4);
  player.stop(-1);
  assert.equal(player.at, 0);
  player.step(99);
  assert.equal(player.at, 9);
  player.go(0);
  player.hold = () => player.at === 2;
  player.speed = 1000;
  player.play();
  assert.equal(player.isPlaying, true);
  await new Promise(resolve => player.addEventListener('place', () => !player.isPlaying && resolve(null)));
  assert.equal(player.at, 2);
});

test('every step is drawn, said and numbered', async () => {
  for (const { name } of SCENES) {
    const view = viewOf(name, 'watch');
    for (let at = 0; at <= view.player.last; at++) {
      await forgotten();
      view.player.go(at);
      assert.ok(view.querySelectorAll('svg g').length > 0 || at === 0, `${name} draws step ${at}`);
      const said = view.querySelector('.lesson-sentence')?.textContent ?? '';
      assert.ok(said.split(' ').length <= 40 && said.length > 5, `${name}, step ${at}: ${said}`);
      assert.ok(
        !/undefined|null|NaN|\[object/.test(view.querySelector('svg').outerHTML + view.textContent ?? ''),
        `${name}, step ${at}: ${view.textContent}`,
      );
    }
  }
});

test('the right choices lead to the end, and a wrong one says why', async () => {
  for (const { name } of SCENES) {
    const view = viewOf(name, 'do');
    const scene = SCENES.find(each => each.name === name);
    const store = new FrameStore(lessonOf(name).frames, lessonOf(name).ends);
    const { facts } = EXAMPLES[name];
    let misses = 0;
    for (let n = 0; n < store.length && view.querySelector('[data-choice]'); n++) {
      await forgotten();
      const at = view.player.at;
      const shown = {
        facts,
        at,
        last: store.length - 1,
        state: store.state(at),
        next: store.state(at + 1),
        stateAt: k => store.state(k),
        nowAt: k => store.now(k),
        isAsked: true,
        chosen: null,
      };
      const right = scene.right(shown);
      const drawn = [...view.querySelectorAll('svg [data-choice]')].map(({ dataset }) => dataset.choice);
      assert.ok(drawn.includes(right), `${name}, step ${at}: the right choice ${right} is among those that are drawn`);
      const other = [...view.querySelectorAll('[data-choice]')].find(({ dataset }) => dataset.choice !== right);
      if (n === 0 && other) {
        view.choose(other.dataset.choice);
        misses++;
        assert.equal(view.player.at, at, 'a miss does not go on');
        assert.match(view.querySelector('.lesson-verdict').textContent, /Wrong/);
      }
      view.choose(right);
      assert.ok(view.player.at > at, `${name} goes on after step ${at}`);
    }
    const { right, missed, asked } = view.score;
    assert.equal(view.player.at, view.player.last, name);
    assert.deepEqual([right, missed], [asked - misses, misses], name);
    assert.ok(asked > 0, name);
  }
});

test('the last step of a lesson on encoding shows the tokens of the whole text', () => {
  for (const name of ['bpe-encode', 'wordpiece-encode', 'unigram-encode']) {
    const view = viewOf(name, 'watch');
    view.player.go(view.player.last);
    const { ids } = EXAMPLES[name].facts;
    const drawn = [...view.querySelectorAll('svg .box .small')].map(({ textContent }) => Number(textContent));
    assert.deepEqual(drawn, ids, name);
  }
});

test('a step that was passed over has no mark of its own', () => {
  const view = viewOf('bpe-encode', 'do');
  view.player.step(view.player.last);
  assert.equal(view.score.right, 0);
  assert.equal(view.score.missed, view.score.asked);
});

test('two paths to choose from say nothing of their sums before a press, and all of them are listed after it', () => {
  const view = viewOf('unigram-encode', 'do');
  const { facts } = EXAMPLES['unigram-encode'];
  const at = EXAMPLES['unigram-encode'].frames.findIndex(({ now }) => now.step === 'paths');
  const { now, lists } = statesOf(EXAMPLES['unigram-encode'].frames)[at];
  assert.ok(now.count > 2);
  view.player.go(at - 1);
  const drawn = [...view.querySelectorAll('svg [data-choice]')];
  assert.deepEqual(drawn.map(({ dataset }) => dataset.choice).sort(), ['p1', 'p2']);
  const names = lists.paths.map(({ tokens }) =>
    tokens.map(({ id }) => facts.named[id].text.replace('▁', '·')).join('|'),
  );
  const table = () => view.table.rows.map(({ cells }) => cells);
  assert.deepEqual(
    table().map(([, ...numbers]) => numbers),
    [
      ['?', '?'],
      ['?', '?'],
    ],
  );
  view.choose('p2');
  assert.ok(view.querySelector('.lesson-verdict').textContent.includes(names[2]), 'a miss names the path');
  view.choose('p1');
  assert.ok(view.player.at >= at, 'the next best path goes on');
  const all = viewOf('unigram-encode', 'watch');
  all.player.go(at);
  assert.deepEqual(
    all.table.rows.map(({ cells }) => cells[0]),
    names,
  );
});

test('the path that was read back is the best one, wherever the list has it', () => {
  const name = 'unigram-encode';
  const at = EXAMPLES[name].frames.findIndex(({ now }) => now.step === 'paths');
  const { facts } = EXAMPLES[name];
  const state = statesOf(EXAMPLES[name].frames)[at];
  const nameOf = tokens => tokens.map(({ id }) => facts.named[id].text.replace('▁', '·')).join('|');
  const [own, ...others] = state.lists.paths;
  for (const paths of [[own, ...others], [...others, own], others]) {
    const place = paths.indexOf(own);
    const frames = EXAMPLES[name].frames.with(at, { now: state.now, key: { ...state.lists, paths } });
    const view = viewOf(name, 'watch', frames);
    view.player.go(at);
    const marked = view.table.rows.filter(({ isMarked }) => isMarked).map(({ ref }) => ref);
    assert.deepEqual(marked, place < 0 ? [] : [`p${place}`]);
    const best = [...view.querySelectorAll('svg .best')].map(({ dataset }) => dataset.ref);
    assert.deepEqual([...new Set(best)], marked);
    assert.ok(view.querySelector('.lesson-sentence').textContent.includes(nameOf(own.tokens)), `${place}`);
    const done = viewOf(name, 'do', frames);
    done.player.go(at - 1);
    assert.equal(done.querySelectorAll('svg [data-choice]').length, place === 0 ? 2 : 0);
  }
});

test('how often a path was drawn is said in words', () => {
  assert.deepEqual([0, 1, 2].map(EN.unigram.drawn), ['not drawn', 'drawn once', 'drawn 2 times']);
  const view = viewOf('unigram-encode', 'watch');
  statesOf(EXAMPLES['unigram-encode'].frames).forEach(({ now, lists }, at) => {
    if (now.step !== 'draws') return;
    view.player.go(at);
    const said = [...view.querySelectorAll('svg text')].map(({ textContent }) => textContent);
    for (const { drawn } of lists.paths) assert.ok(said.includes(EN.unigram.drawn(drawn)), `step ${at}`);
    assert.equal(said.includes(EN.unigram.otherPaths), lists.paths.length > now.count);
  });
});

test('other draws can be asked for where some are shown, and the address keeps their seed', () => {
  const view = viewOf('unigram-encode', 'watch');
  const at = EXAMPLES['unigram-encode'].frames.findIndex(({ now }) => now.step === 'draws');
  const again = () => view.querySelector('.lesson-side button');
  view.player.go(at - 1);
  assert.equal(again().hidden, true);
  view.player.go(at);
  assert.equal(again().hidden, false);
  let asked = 0;
  view.addEventListener('drawagain', () => asked++);
  again().click();
  assert.equal(asked, 1);
  const state = stateOf(new URLSearchParams('lesson=unigram-encode&seed=7&at=3'));
  assert.equal(state.seed, 7);
  assert.equal(paramsOf(state).get('seed'), '7');
  assert.equal(paramsOf({ ...state, lesson: 'utf8' }).get('seed'), null, 'it draws nothing');
});

test('each line of the charts ends at the operations of the longest text', () => {
  const view = viewOf('encoders', 'watch');
  const { prose, word } = EXAMPLES.encoders.facts.growth;
  const said = [...view.querySelectorAll('svg text')].map(({ textContent }) => textContent).join('\n');
  for (const { operations } of [prose.at(-1), word.at(-1)])
    for (const total of operations) assert.ok(said.includes(`: ${count(total)}`), `${total} in ${said}`);
  assert.equal(view.querySelectorAll('svg .marker').length, 8);
});

test('a control token in a message is marked, and one of the template is not', () => {
  const view = viewOf('chat-template', 'watch');
  const { facts, frames } = EXAMPLES['chat-template'];
  view.player.go(frames.length - 1);
  const marked = [...view.querySelectorAll('svg .box.wrong')].map(({ textContent }) => textContent);
  assert.deepEqual([...new Set(marked)], [`<|end|>${EN.chat.fromMessage}`]);
  assert.deepEqual(facts.chat.spelled_by_messages, ['<|end|>']);
});

test('with many stops, those of a text are its words', () => {
  const view = viewOf('bpe-encode', 'watch');
  assert.ok(view.player.stops.some(({ word }) => word === 'un'));
  const lesson = lessonOf('wordpiece-encode');
  assert.ok(lesson.ends.length > 24);
  const { name, ...scene } = SCENES.find(each => each.name === 'wordpiece-encode');
  view.show({ name, ...scene, stop: ({ step }) => step }, lesson, { way: 'watch' });
  const parts = EXAMPLES[name].facts.pretokens.map(({ text }) => text);
  assert.deepEqual(
    view.player.stops.map(({ word }) => word),
    ['start', ...parts, 'done'],
  );
});

test('a box is as wide as its text, also where characters are wide', () => {
  for (const text of ['▁▁▁the▁cat', '日本語の文章', 'letters', 'x'.repeat(400), '日本'.repeat(200)]) {
    const { facts } = EXAMPLES.pipeline;
    const state = { now: { step: 'start' }, lists: { pieces: [{ text, span: [0, 1], id: null }] } };
    const sheet = new Sheet(600);
    const scene = SCENES.find(({ name }) => name === 'pipeline');
    scene.draw(/** @type {any} */ ({ facts, at: 0, stateAt: () => state }), sheet, () => '');
    const shown = sheet.nodes.filter(node => node.querySelector('text')).slice(1);
    const width = Number(
      sheet.nodes
        .find(node => node.querySelector('rect'))
        .querySelector('rect')
        .getAttribute('width'),
    );
    for (const node of shown) {
      const line = node.querySelector('text');
      assert.ok(extent(line.textContent) * Number(line.getAttribute('font-size')) <= width, line.textContent);
    }
    assert.equal(shown.map(({ textContent }) => textContent).join(''), text);
  }
});

test('the table of a lattice has the tokens of the path where no position is chosen', () => {
  const view = viewOf('unigram-encode', 'watch');
  const { facts, frames } = EXAMPLES['unigram-encode'];
  const at = frames.findIndex(({ now }) => now.step === 'back');
  view.player.go(at);
  assert.deepEqual([view.table.caption, view.table.rows.length], [EN.unigram.tokenTable, 1]);
  assert.ok(view.table.rows[0].isMarked);
  view.player.go(view.player.last);
  assert.deepEqual(
    view.table.rows.map(({ cells }) => cells[0]),
    facts.ids.map(id => tokenName(facts, id)),
  );
});

test('words of a sentence and of the figure point at each other', () => {
  const view = viewOf('bpe-encode', 'watch');
  view.player.go(3);
  const link = view.querySelector('.lesson-link');
  view.light(link.dataset.ref);
  assert.ok(view.querySelector(`svg .lit[data-ref="${link.dataset.ref}"]`));
  view.light(null);
  assert.equal(view.querySelector('.lit'), null);
});

test('no sentence stands outside of the words', async () => {
  /** @param {any} value another language: every sentence between brackets, around its values */
  const pseudo = value => {
    if (typeof value === 'string') return '⟦⟧';
    if (Array.isArray(value)) return typeof value[0] === 'string' && value.length > 1 ? value.map(() => '⟦⟧') : ['⟦⟧'];
    if (typeof value === 'function')
      return (...given) => {
        const made = value(...given);
        return Array.isArray(made)
          ? say`⟦${made.filter(part => typeof part !== 'string').flatMap(part => [part, '⟧⟦'])}⟧`
          : '⟦⟧';
      };
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, pseudo(each)]));
  };
  Object.assign(words, pseudo(EN));
  try {
    for (const { name } of SCENES) {
      const data = JSON.stringify(EXAMPLES[name]).toLowerCase();
      const isData = new Map();
      const has = word => isData.get(word) ?? isData.set(word, data.includes(word.toLowerCase())).get(word);
      for (const way of ['watch', 'do']) {
        const view = viewOf(name, /** @type {'watch'|'do'} */ (way));
        for (let at = 0; at <= view.player.last; at++) {
          await forgotten();
          view.player.go(at);
          for (const node of view.querySelectorAll(
            '.lesson-task, .lesson-count, .lesson-sentence, svg text, [aria-label]:not(lesson-transport *)',
          )) {
            const text = (node.getAttribute('aria-label') ?? node.textContent ?? '').replace(/⟦|⟧/g, ' ');
            for (const word of text.match(/[A-Za-z]{3,}/g) ?? [])
              assert.ok(has(word), `${name}: “${text}” has “${word}”`);
          }
        }
      }
    }
  } finally {
    Object.assign(words, EN);
  }
  assert.equal(plain(words.utf8.start), plain(EN.utf8.start));
});

test('letters of a text are shown as they are, also the space mark of SentencePiece', () => {
  const { facts, frames } = EXAMPLES.utf8;
  const [{ text }] = statesOf(frames).at(-1).lists.characters;
  const view = viewOf('utf8', 'watch', JSON.parse(JSON.stringify(frames).replaceAll(`"${text}"`, '"▁"')));
  assert.ok(facts.text.startsWith(text));
  view.player.go(view.player.last);
  assert.equal(view.table.rows[0].cells[0], '▁');
});

test('a piece that has no room in a row is pointed at as the others are', () => {
  const [first, ...rest] = EXAMPLES.pipeline.frames;
  const [piece] = first.key.pieces;
  const long = { ...first, key: { ...first.key, pieces: [{ ...piece, text: 'many letters '.repeat(300) }] } };
  const view = viewOf('pipeline', 'watch', [long, ...rest]);
  assert.ok(view.querySelectorAll('svg .letter').length > 1, 'it is drawn in lines');
  const [row] = view.table.rows;
  assert.equal(view.querySelectorAll(`svg [data-ref="${row.ref}"]`).length, 1);
});

test('the best path is read back without a mark on what is asked for', () => {
  const name = 'unigram-encode';
  const { frames } = EXAMPLES[name];
  const states = statesOf(frames);
  const view = viewOf(name, 'do');
  const asked = states.flatMap(({ now, lists }, at) => {
    const isSaid = states[at - 1]?.now.step === 'place';
    const same = now.step === 'back' && !isSaid && lists.nodes.filter(({ to }) => to === lists.nodes[now.node].to);
    return same && same.length > 1 ? [at - 1] : [];
  });
  assert.ok(asked.length);
  for (const at of asked) {
    view.player.go(at);
    const { nodes } = states[at].lists;
    const { node } = states[at + 1].now;
    const drawn = [...view.querySelectorAll('svg [data-choice]')];
    assert.deepEqual(
      drawn.map(({ dataset }) => Number(dataset.choice)),
      [...nodes.keys()].filter(n => nodes[n].to === nodes[node].to),
    );
    assert.equal(new Set(drawn.map(each => each.getAttribute('class'))).size, 1, 'all look alike');
    assert.deepEqual(new Set(view.table.rows.map(({ cells }) => cells[3])), new Set(['?']));
  }
});

test('a symbol keeps its colour while it is there, and neighbours have different ones', () => {
  const view = viewOf('bpe-encode', 'watch');
  const states = statesOf(EXAMPLES['bpe-encode'].frames);
  let before = new Map();
  for (let at = 0; at < view.player.last; at++) {
    view.player.go(at);
    const tiles = [...view.querySelectorAll('svg [data-ref^=s]')].map(each => ({
      node: states[at].lists.symbols[Number(each.dataset.ref.slice(1))].node,
      colour: /token-(\d)/.exec(each.getAttribute('class'))[1],
    }));
    for (const [n, { node, colour }] of tiles.entries()) {
      assert.equal(colour, before.get(node) ?? colour, `step ${at}`);
      assert.notEqual(colour, tiles[n + 1]?.colour, `step ${at}`);
    }
    before = new Map(tiles.map(({ node, colour }) => [node, colour]));
  }
});

test('the table of a merge has the pairs among which it was chosen, and marks it', () => {
  for (const name of ['bpe-encode', 'bpe-train']) {
    const view = viewOf(name, 'watch');
    const { facts, frames } = EXAMPLES[name];
    for (const [at, { now }] of frames.entries()) {
      if (now.step !== 'merge') continue;
      view.player.go(at);
      const marked = view.table.rows.filter(({ isMarked }) => isMarked);
      const [left, right] = now.pair.map(id => facts.named[id].text?.replace(/^ /, '·'));
      if (left && right)
        assert.deepEqual(
          marked.map(({ cells }) => cells[0]),
          [`${left} + ${right}`],
          `${name} ${at}`,
        );
      assert.equal(marked.length, 1, `${name} ${at}`);
    }
  }
});

test('in the way of doing, stops that are to come do not name what they make', () => {
  const view = viewOf('bpe-encode', 'do');
  const { facts, frames } = EXAMPLES['bpe-encode'];
  const made = frames.flatMap(({ now }) => (now.step === 'merge' ? [facts.named[now.id].text] : []));
  Object.defineProperty(view.querySelector('.lesson-stops'), 'clientWidth', { value: 4000 });
  view.player.go(view.player.at);
  const named = () => [...view.querySelectorAll('.lesson-stops button')].map(({ textContent }) => textContent);
  assert.ok(!named().some(word => made.includes(word)));
  view.way = 'watch';
  view.player.go(0);
  assert.ok(named().some(word => made.includes(word)));
});

test('texts of one’s own are kept as long as the store has room for all', () => {
  const { allows } = LEARN.samples;
  /** @type {Object<string, string>} */
  let samples = {};
  for (const { name } of LESSONS) {
    samples = withSample(samples, name, '語'.repeat(1000));
    assert.ok(allows(samples), name);
  }
  const last = LESSONS.map(({ name }) => name).slice(-3);
  assert.deepEqual(Object.keys(samples), last, 'the oldest ones made room');
  assert.deepEqual(Object.keys(withSample(samples, last[0], 'own')), [last[1], last[2], last[0]]);
  for (const text of ['語'.repeat(10_000), 'half \ud83d', LESSONS[0].example, ''])
    assert.deepEqual(withSample({ [LESSONS[0].name]: 'old' }, LESSONS[0].name, text), {});
  assert.ok(!allows({ text: 'half \ud83d' }) && !allows({ text: 4 }) && !allows({ text: 'a'.repeat(10_000) }));
});
