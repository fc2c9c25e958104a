/** When the blocks of lanes are written in. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { LaneWriter } from '../../lab_ui/js/editor/lane_writer.js';

const FACE = { size: 12, advance: 7, measure: text => 7 * text.length };
const WINDOW = { top: -100, bottom: 900 };
let frames;
let scroller;
let isDrawn;
let told;
let writer;
let log;

beforeEach(() => {
  frames = [];
  globalThis.requestAnimationFrame = call => frames.push(call);
  scroller = { scrollTop: 0, clientHeight: 600 };
  isDrawn = true;
  told = [];
  log = [];
  writer = new LaneWriter(
    scroller,
    () => isDrawn,
    written => told.push(written),
  );
});
afterEach(() => {
  delete globalThis.requestAnimationFrame;
});

const frame = () => frames.splice(0).forEach(call => call());
const lane = {
  write: () => log.push('write'),
  moveWritten: (_, window) => log.push(window ? 'move, hide the others' : 'move'),
};
const line = () => ({
  isSpelled: false,
  lanes: [{ spelled: [] }],
  spell() {
    if (!this.isSpelled) log.push('spell');
    this.isSpelled = true;
  },
});

function draw({ lines = [line()], top = 0, isAnswer = false, isEdited = false } = {}) {
  scroller.scrollTop = top;
  writer.take({ pictures: lines, lanes: [lane], sources: [], face: FACE, window: WINDOW, isEdited }, top, isAnswer);
}

test('blocks are written in with their tokens', () => {
  draw({ isAnswer: true });
  assert.deepEqual([log, told.length], [['spell', 'write'], 0]);
});

test('what is scrolled past is not spelled', async () => {
  draw({ lines: [] });
  log.length = 0;
  for (let top = 300; top <= 3000; top += 300) {
    draw({ top });
    frame();
  }
  assert.equal(told.length, 1);
  assert.deepEqual(new Set(log), new Set(['move, hide the others']));
  scroller.scrollTop = 3010; // too little to be drawn again
  frame();
  frame();
  assert.ok(!log.includes('spell'));
  frame();
  assert.deepEqual(log.slice(-2), ['spell', 'write']);
  await told[0];
});

test('what is written in the line of a key stays until its answer', async () => {
  const others = line();
  draw({ lines: [others, line()], isAnswer: true });
  log.length = 0;
  draw({ lines: [others, line()], isEdited: true });
  assert.deepEqual(log, ['move']);
  draw({ lines: [others, line()], isAnswer: true });
  assert.deepEqual(log, ['move', 'spell', 'write']);
  await told[0];
  frame();
  assert.equal(log.length, 3);
});

test('an edit of more than a line is written at once, and a key whose answer is late after some frames', () => {
  draw({ lines: [line(), line()], isEdited: true });
  assert.deepEqual(log, ['spell', 'spell', 'write']);
  log.length = 0;
  draw({ isEdited: true });
  frame();
  isDrawn = false; // tokens came, and are not drawn yet
  frame();
  isDrawn = true;
  frame();
  assert.deepEqual(log, ['move']);
  frame();
  assert.deepEqual(log, ['move', 'spell', 'write']);
});

test('nobody waits for what is hidden or ended', async () => {
  draw();
  draw({ top: 500 });
  scroller.clientHeight = 0;
  frame();
  await told[0];
  draw({ top: 900 });
  writer.destroy();
  await told[1];
});
