/** Chat templates: a conversation as the text that its template makes, the control tokens in it, the tokens between. */
import { beginning } from '../figures/sheet.js';
import { visible } from '../names.js';
import { words } from '../words/index.js';
import { nameOf, piecesScene } from './pipeline.js';
import { oncePerLesson } from './scene.js';

/** Between two messages. */
const MESSAGE = 30;
/** What says who speaks, left of a message. */
const ROLE = 84;

/** @typedef {import('./scene.js').View} View */

const pieces = piecesScene('chat-template', 'What does <|end|> mean?', {
  above: drawMessages,
  noteOf: (facts, piece) => (isSpelled(facts, piece) ? words.chat.fromMessage : ''),
});

/** @type {import('./scene.js').Scene} */
export const chatTemplate = {
  ...pieces,

  asks: (_next, at) => at === 0,

  right: view => String(controlsOf(view)),

  task: ({ isAsked }) => (isAsked ? words.chat.task : words.chat.taskWatch),

  sentence(view) {
    const { facts, state } = view;
    const { now, lists } = state;
    if (now.step === 'start') return words.chat.start(facts.chat.messages.length);
    const piece = now.step === 'cut' ? lists.pieces[now.at] : null;
    if (piece && isSpelled(facts, piece)) return words.chat.spelled(nameOf(facts, piece));
    return pieces.sentence(view);
  },

  miss: view => words.chat.miss(controlsOf(view)),

  draw(view, sheet, markOf) {
    pieces.draw({ ...view, isAsked: false }, sheet, markOf);
    if (!view.isAsked) return;
    const top = sheet.height + 12;
    choicesOf(view).forEach((n, at) =>
      sheet.box({
        x: at * 120,
        y: top,
        width: 110,
        height: 42,
        text: String(n),
        choice: String(n),
        label: words.chat.press(n),
        className: `choice ${markOf(String(n))}`,
      }),
    );
  },
};

/** How many control tokens the conversation has. */
const controlsOf = oncePerLesson(
  (/** @type {Pick<View, 'facts'|'last'|'stateAt'>} */ { last, stateAt }) =>
    stateAt(last).lists.pieces.filter(({ added, special }) => added && special).length,
);

/** Numbers to choose from: the right one, and some for each message. @param {View} view @returns {number[]} */
function choicesOf(view) {
  const messages = view.facts.chat.messages.length;
  const right = controlsOf(view);
  return [...new Set([messages, 2 * messages, right, right + messages])].sort((a, b) => a - b);
}

/**
 * The messages that the template made one text of.
 * @param {any} facts @param {import('../figures/sheet.js').Sheet} sheet @returns {number} where the rows begin
 */
function drawMessages({ chat }, sheet) {
  chat.messages.forEach((/** @type {{role: string, content: string}} */ { role, content }, /** @type {number} */ n) => {
    const y = n * MESSAGE + 10;
    sheet.text({ x: 0, y, text: role, anchor: 'start', className: 'faint' });
    const text = beginning(visible(content), 14, sheet.room - ROLE);
    sheet.text({ x: ROLE, y, text, size: 14, anchor: 'start', className: 'letter' });
  });
  return chat.messages.length * MESSAGE + 10;
}

/** Whether a control token was spelled by a message, and not by the template. @param {any} facts @param {any} piece */
const isSpelled = ({ chat }, { added, special, span }) =>
  Boolean(added && special && span) &&
  chat.messages.some((/** @type {any} */ message) => message.span?.[0] <= span[0] && span[1] <= message.span?.[1]);
