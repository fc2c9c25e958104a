/** The settings of Chat: the conversation, its template and how its tokens are read. */
import { isConversation } from './conversation.js';

/** The choice of `template` that is a text of the user's. */
export const OWN = '@own';
/** The choice of `template` that is the tokenizer's first one, or ChatML. */
export const USUAL = '';

export const COLOURS = [
  { value: 'role', label: 'By role', hint: 'One colour for each role' },
  { value: 'token', label: 'By token', hint: 'Neighbouring tokens differ' },
];

export const VIEWS = [
  { value: 'messages', label: 'Messages', hint: 'A conversation as tokens' },
  { value: 'drift', label: 'Drift', hint: 'IDs that a model sampled beside those of the encoder' },
];

/** A number of tokens. @param {number} n */
const isSize = n => Number.isInteger(n) && n >= 0 && n <= 100_000_000;

/** @type {Object<string, import('../../app/state/settings.js').Setting>} */
export const SETTINGS = {
  view: { default: 'messages', oneOf: VIEWS.map(({ value }) => value), url: 'view' },
  /** IDs that a model sampled, as typed. */
  sampled: { default: '', isWork: true, isText: true, url: 'sampled' },
  /** The prompt whose end is tested. */
  ending: { default: 'The total is ', isWork: true, isText: true, url: 'ending' },
  /** The messages as JSON; empty: the example. */
  conversation: {
    default: '',
    allows: text => !text || isConversation(text),
    isWork: true,
    isText: true,
    url: 'messages',
  },
  template: { default: USUAL, url: 'template' },
  ownTemplate: { default: '', isWork: true, isText: true, url: 'own-template' },
  /** The tools that the template is given, as JSON. */
  tools: { default: '', isWork: true, isText: true, url: 'tools' },
  /** End with the prompt for the answer. */
  prompt: { default: true, url: 'prompt' },
  /** Whether roles say what is trained on. */
  byRole: { default: false, url: 'mask-by-role' },
  colour: { default: 'role', oneOf: COLOURS.map(({ value }) => value), url: 'colour' },
  context: { default: 4096, allows: isSize, url: 'context' },
  reserve: { default: 512, allows: isSize, url: 'reserve' },
};
