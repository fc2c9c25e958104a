/** Conversations as tokens, tests of chat templates, and IDs that a model sampled. */
import { request } from './client.js';
/** @import {Chat, ChatChecks, ChatTemplates, Drift, PromptEnd} from './schema.d.ts' */

/**
 * What a template is given: the tokenizer, the messages and the template.
 * @typedef {{tokenizer: string, messages: Object<string, any>[], tools?: any[], add_generation_prompt: boolean,
 *   template?: string, template_text?: string}} Given
 * @typedef {Given & {now: string, mask: 'template'|'roles', as_text: number[], context?: number,
 *   reserve?: number}} Asked
 */

/** @param {Asked} json @param {AbortSignal} signal @returns {Promise<Chat>} */
export const seeChat = (json, signal) => request('POST', 'chat', { json, signal });

/** @param {Given} json @param {AbortSignal} signal @returns {Promise<ChatChecks>} the failed ones first */
export const checkChat = (json, signal) => request('POST', 'chat/checks', { json, signal });

/** @param {string} tokenizer @param {AbortSignal} signal @returns {Promise<ChatTemplates>} names */
export const chatTemplates = (tokenizer, signal) => request('GET', `chat/${encodeURIComponent(tokenizer)}`, { signal });

/**
 * @param {string} tokenizer @param {number[]} ids that a model sampled @param {AbortSignal} signal
 * @returns {Promise<Drift>}
 */
export const compareSampled = (tokenizer, ids, signal) =>
  request('POST', 'drift', { json: { tokenizer, ids }, signal });

/** @param {string} tokenizer @param {string} text @param {AbortSignal} signal @returns {Promise<PromptEnd>} */
export const promptEnd = (tokenizer, text, signal) =>
  request('POST', 'prompt_end', { json: { tokenizer, text }, signal });
