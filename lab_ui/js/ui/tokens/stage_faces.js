/**
 * A text after each stage of a tokenizer. What a stage takes away is struck through, what it puts in is underlined.
 */
import { textChanges } from '../../text/text_changes.js';
import { count, plural } from '../../util/format.js';
import { h } from '../dom.js';
import { tokenFace } from './token_label.js';
import { visibleNodes } from './token_spans_text.js';

const MOST_SHOWN = 400;

/**
 * @typedef {import('../../api/schema.d.ts').TokenHead} TokenHead
 * @typedef {{trace: import('../../api/schema.d.ts').Trace, text: string, entryOf: (id: number) => TokenHead|undefined,
 *   adds: boolean, decoded?: string|null, lossy?: string|null}} Staged a text and its trace. `adds`: whether the
 *   postprocessor is switched on; `decoded`: what decoding returns, null: bytes that are not text
 */

/**
 * @param {string} stage `normalizer`, `pretokenizer`, `model`, `postprocessor` or `decoder`
 * @param {Staged} staged
 * @returns {Node[]}
 */
export const stageFaces = (stage, staged) => NODES[stage](staged);

/** Each step with what it changes. @param {Staged} staged */
function normalizerNodes({ trace }) {
  const [first, ...steps] = trace.normalizer.map(({ step, pretokens }) => ({
    step,
    text: pretokens.map(pretoken => pretoken.text).join(''),
  }));
  if (!steps.length)
    return [
      h('p', { class: 'dim' }, 'There is no normalizer: the text stays as it is.'),
      line([{ kind: 'same', text: first?.text ?? '' }]),
    ];
  return steps.map(({ step, text }, n) => {
    const before = n ? steps[n - 1].text : first.text;
    return h(
      'div',
      { class: 'stage-step' },
      h('span', { class: 'dim' }, step),
      before === text ? h('span', { class: 'faint' }, 'changes nothing here') : line(textChanges(before, text)),
    );
  });
}

const KINDS = { same: 'span', gone: 'del', new: 'ins' };

/** @param {import('../../text/text_changes.js').TextPart[]} parts */
const line = parts =>
  h(
    'bdi',
    { class: 'stage-text' },
    ...parts.map(({ kind, text }) =>
      kind === 'same' && !text.includes('\n') ? text : h(KINDS[kind], {}, ...visibleNodes(text)),
    ),
  );

/** @param {Staged} staged */
function pretokenizerNodes({ trace: { pretokens } }) {
  return [
    chips(pretokens, ({ text, branch, split_by: by }) =>
      h(
        'bdi',
        { class: 'stage-piece', title: [branch, by ? `split by ${by}` : ''].filter(Boolean).join(', ') },
        ...visibleNodes(text),
      ),
    ),
  ];
}

/** @param {Staged} staged */
function modelNodes({ trace: { pretokens }, entryOf }) {
  return [
    chips(pretokens, ({ tokens, text }) =>
      h('span', { class: 'stage-group', title: text }, ...tokens.map(({ id }) => face(entryOf(id), id))),
    ),
  ];
}

/** @param {Staged} staged */
function postprocessorNodes({ trace: { tokens }, entryOf, adds }) {
  const added = tokens.filter(token => token.span === null).length;
  if (!added) return [h('p', { class: 'dim' }, 'It adds no token.')];
  /** Added tokens, and how many of the text are between them. @type {(number|{id: number})[]} */
  const runs = [];
  for (const token of tokens) {
    const last = runs.at(-1);
    if (token.span === null) runs.push(token);
    else if (typeof last === 'number') runs[runs.length - 1] = last + 1;
    else runs.push(1);
  }
  return [
    h(
      'p',
      { class: 'dim' },
      adds
        ? `It adds ${plural(added, 'token')}.`
        : `It would add ${plural(added, 'token')}; adding special tokens is switched off.`,
    ),
    h(
      'div',
      { class: 'stage-chips' },
      ...runs.map(run =>
        typeof run === 'number'
          ? h('span', { class: 'dim number' }, `${plural(run, 'token')} of the text`)
          : h(
              'span',
              { class: 'pill' },
              entryOf(run.id)?.text ?? String(run.id),
              h('small', { class: 'number' }, String(run.id)),
            ),
      ),
    ),
  ];
}

/** What decoding returns in place of the text. @param {Staged} staged */
function decoderNodes({ text, decoded, lossy }) {
  if (decoded === text)
    return [h('p', { class: 'dim' }, 'Decoding the tokens gives the same text, character by character.')];
  const why = lossy ? ` This tokenizer does not keep everything: ${lossy}.` : '';
  return [
    h('p', {}, `Decoding the tokens does not give the same text.${why}`),
    ...(decoded === null || decoded === undefined ? [] : [line(textChanges(text, decoded))]),
  ];
}

/** @param {TokenHead|undefined} entry @param {number} id */
const face = (entry, id) =>
  h(
    'span',
    { class: 'stage-token' },
    entry ? tokenFace(entry) : null,
    h('small', { class: 'number faint' }, String(id)),
  );

/** @template T @param {T[]} list @param {(item: T) => Node} make */
const chips = (list, make) =>
  h(
    'div',
    { class: 'stage-chips' },
    ...list.slice(0, MOST_SHOWN).map(make),
    list.length > MOST_SHOWN ? h('span', { class: 'faint' }, `and ${count(list.length - MOST_SHOWN)} more`) : null,
  );

/** Makes the nodes of a stage. @type {Object<string, (staged: Staged) => Node[]>} */
const NODES = {
  normalizer: normalizerNodes,
  pretokenizer: pretokenizerNodes,
  model: modelNodes,
  postprocessor: postprocessorNodes,
  decoder: decoderNodes,
};
