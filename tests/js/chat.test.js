import './page.js';
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  budgetParts,
  budgetWords,
  chatFacts,
  driftAdvice,
  driftFacts,
  endWords,
  idsIn,
  readWords,
} from '../../lab_ui/js/screens/chat/chat_words.js';
import {
  fieldsOf,
  isConversation,
  messageOf,
  moved,
  readMessages,
  readTools,
  toolsIn,
} from '../../lab_ui/js/screens/chat/conversation.js';
import { driftColumns } from '../../lab_ui/js/screens/chat/drift_lanes.js';
import { rowsOf } from '../../lab_ui/js/screens/chat/token_row.js';

const NARROW = '\u202f';

test('a message with more than a text is edited as JSON, and comes back as it was', () => {
  const plain = { role: 'user', content: 'a "b"\n' };
  const call = { role: 'assistant', content: '', tool_calls: [{ name: 'f' }] };
  assert.equal(messageOf(plain).isJson, false);
  assert.equal(messageOf(call).isJson, true);
  for (const message of [plain, call, { role: 'user', content: null }]) {
    assert.deepEqual(fieldsOf(messageOf(message)), message);
  }
  for (const body of ['{', '[]', '3', 'null']) assert.equal(fieldsOf({ ...messageOf(call), body }), null);
});

test('messages are a list of objects, alone or in an object', () => {
  assert.deepEqual(readMessages('{"messages": [{"role": "user"}], "tools": []}'), [{ role: 'user' }]);
  for (const text of ['', '{}', '[1]', '[[]]', '{"messages": 3}', 'null']) assert.equal(isConversation(text), false);
});

test('a message moves to a neighbour, and stays at an end', () => {
  const list = ['a', 'b', 'c'];
  assert.deepEqual(moved(list, 0, 1), ['b', 'a', 'c']);
  assert.deepEqual(moved(list, 2, -1), ['a', 'c', 'b']);
  assert.equal(moved(list, 0, -1), list);
  assert.equal(moved(list, 2, 1), list);
});

/** @param {Object<string, any>} more @returns {any} */
const chat = more => ({ count: 1000, template_count: 400, mask: null, control_tokens: [], ...more });

test('an unknown mask is a dash and not 0', () => {
  const trained = (/** @type {any} */ more) => chatFacts(chat(more)).at(-1);
  assert.deepEqual(trained({}), { figure: '–', words: 'mask unknown', kind: '', share: '' });
  const known = trained({ count: 4, template_count: 1, mask: [0, 1, 1, 0] });
  assert.deepEqual([known?.figure, known?.share], ['2', `50${NARROW}%`]);
  assert.equal(chatFacts(chat({ template_count: null }))[0].figure, '–');
});

test('control tokens say what a model reads there', () => {
  const token = (/** @type {string} */ reads, /** @type {string|null} */ role = null) =>
    /** @type {any} */ ({ reads, role });
  assert.match(readWords([token('message end'), token('message start', 'system')]), /role system/);
  assert.match(readWords([token('message end')]), /end of the message/);
  assert.match(readWords([token('control token')]), /a control token/);
});

test('the parts of a budget fill the context, or what is too much', () => {
  const budget = {
    context: 100,
    reserve: 20,
    roles: [{ role: 'user', count: 30 }],
    template_count: 10,
    free: 40,
    first_outside: null,
    dropped: null,
  };
  assert.deepEqual(
    budgetParts(budget).map(({ name, share }) => [name, share]),
    [
      ['user', 0.3],
      ['template', 0.1],
      ['reserved', 0.2],
    ],
  );
  assert.equal(budgetWords(budget), '40 free');
  const over = { ...budget, context: 50, free: -10, first_outside: 2, dropped: { messages: [0, 1], count: 25 } };
  assert.equal(
    budgetParts(over).reduce((sum, { share }) => sum + share, 0),
    1,
  );
  assert.equal(
    budgetWords(over),
    '10 tokens too many. Message 3 does not fit. Without messages 1–2, 25 tokens are left.',
  );
});

test('tokens stand in the row of their message, those after the last in one of their own', () => {
  const rows = rowsOf(
    /** @type {any} */ ({
      text: '<é>end',
      ids: [7, 8, 9, 7, 5],
      mask: [0, 1, 1, 0, 0],
      messages: [{}],
      tokens: {
        texts: ['<', null, null, '>', 'end'],
        spans_utf16: [
          [0, 1],
          [1, 2],
          [1, 2],
          [2, 3],
          [3, 6],
        ],
        messages: [null, 0, 0, 0, null],
        sources: [0, 1, 1, 0, 0],
        special: [1, 0, 0, 1, 0],
      },
    }),
  );
  assert.deepEqual(
    rows.map(row => row.map(({ text }) => text)),
    [['<', 'é', 'é', '>'], ['end']],
  );
  assert.deepEqual(
    rows[0].map(({ isTrained, isControl }) => [isTrained, isControl]),
    [
      [false, true],
      [true, false],
      [true, false],
      [false, true],
    ],
  );
});

test('IDs are numbers with anything usual between them', () => {
  assert.deepEqual(idsIn('[27, 14172;3]\n5'), [27, 14172, 3, 5]);
  assert.deepEqual(idsIn(' '), []);
  for (const text of ['a', '1 -2', '3.5', '1e3']) assert.equal(idsIn(text), null);
});

test('drift is said with its first token, counted from 1', () => {
  const drift = /** @type {any} */ ({
    first: 11,
    places: [1, 2],
    sampled: Array(66),
    encoded: Array(59),
    same_text: true,
    other_tokenizer: false,
  });
  assert.deepEqual(driftFacts(drift)[0], { figure: 'Token 12', words: 'is the first that drifts' });
  assert.equal(driftFacts({ ...drift, first: null })[0].figure, 'No drift');
  assert.match(driftAdvice(drift), /from token 12 on/);
  assert.match(driftAdvice({ ...drift, other_tokenizer: true }), /another tokenizer/);
  const end = {
    tokenizer: 'a',
    ids: [1, 2],
    stable: 1,
    changing: 5,
    tried: 10,
    example: 'x',
    rest: ' ',
    candidates: 4,
  };
  assert.match(endWords(end).join(' '), /5 of 10 next tokens.*1 token shorter.*“ ”, as 4 tokens do/);
  assert.match(endWords({ ...end, changing: 0 })[0], /stable/);
});

test('tools are a list, those of a file among them', () => {
  assert.deepEqual(readTools(' '), []);
  assert.deepEqual(readTools('[{"name": "f"}]'), [{ name: 'f' }]);
  for (const text of ['{', '{}', '3']) assert.equal(readTools(text), null);
  assert.deepEqual(readTools(toolsIn('{"messages": [], "tools": [1]}')), [1]);
  assert.equal(toolsIn('[]'), '');
});

test('sampled tokens stand above those of the encoder, a column for each place', () => {
  const columns = driftColumns({
    places: [{ sampled: [1, 3], encoded: [1, 2], kind: 'not canonical' }],
    sampled: [5, 6, 7, 8],
    encoded: [5, 9, 8],
    sampled_texts: ['a', 'b', 'c', 'd'],
    encoded_texts: ['a', 'bc', 'd'],
  });
  /** @param {number} row */
  const texts = row => columns.map(column => column.children[row].textContent);
  assert.deepEqual(
    [texts(0), texts(1)],
    [
      ['a', 'bc', 'd'],
      ['a', 'bc', 'd'],
    ],
  );
  assert.deepEqual(
    columns.map(column => [column.children[0].children.length, column.children[1].children.length]),
    [
      [1, 1],
      [2, 1],
      [1, 1],
    ],
  );
  assert.deepEqual(
    columns.map(({ className }) => className.includes('first')),
    [false, true, false],
  );
});

test('a token that the encoder alone has is a place without a sampled token', () => {
  const columns = driftColumns({
    places: [{ sampled: [1, 1], encoded: [1, 2], kind: 'not canonical' }],
    sampled: [5, 8],
    encoded: [5, 9, 8],
    sampled_texts: ['a', 'd'],
    encoded_texts: ['a', 'b', 'd'],
  });
  assert.deepEqual(
    columns.map(column => [...column.children].map(row => row.textContent)),
    [
      ['a', 'a'],
      ['', 'b'],
      ['d', 'd'],
    ],
  );
});
