/**
 * What a text looks like after one stage. Gets `show`; reports `stage` with null when it is closed. What a stage takes
 * away is struck through, what it puts in is underlined.
 */
import { LabElement } from '../../ui/element.js';
import { h } from '../../ui/dom.js';
import { ICONS, icon } from '../../ui/icons.js';
import { count, plural } from '../../util/format.js';
import { textChanges } from './text_changes.js';
import { tokenFace } from '../../ui/tokens/token_label.js';
import { visibleNodes } from '../../ui/tokens/token_spans_text.js';

const MOST_SHOWN = 400;

/**
 * @typedef {{message: string}|{trace: Object, text: string, entryOf: (id: number) => Object|undefined, part: string,
 *   adds: boolean, decoded?: string|null, lossy?: string|null}} StageShown `message` where there is nothing to show;
 *   `adds`: whether the postprocessor is switched on; `decoded`: what decoding gives, null: bytes that are no text
 */
export class StageView extends LabElement {
  #title = h('h2');
  #part = h('span', { class: 'faint' });
  #body = h('div', { class: 'stage-body', tabIndex: 0, role: 'region' });

  render() {
    this.id = 'stage-view';
    this.hidden = true;
    this.append(
      h(
        'div',
        { class: 'stage-head' },
        this.#title,
        this.#part,
        h('span', { class: 'grow' }),
        h(
          'button',
          {
            type: 'button',
            class: 'button',
            'aria-label': 'Close the stage',
            title: 'Close (Esc)',
            onclick: () => this.emit('stage', null),
          },
          icon(ICONS.cross),
        ),
      ),
      this.#body,
    );
  }

  /** @param {string|null} stage null closes @param {StageShown} [shown] */
  show(stage, shown = { message: 'Loading…' }) {
    this.hidden = !stage;
    if (!stage) return;
    this.dataset.shown = stage;
    this.#title.textContent = `After the ${stage}`;
    this.#body.ariaLabel = `The text after the ${stage}`;
    this.#part.textContent = 'trace' in shown ? shown.part : '';
    this.#body.replaceChildren(...('trace' in shown ? NODES[stage](shown) : [h('p', { class: 'dim' }, shown.message)]));
  }
}

/** Each step with what it changes. */
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

const line = parts =>
  h(
    'bdi',
    { class: 'stage-text' },
    ...parts.map(({ kind, text }) =>
      kind === 'same' && !text.includes('\n') ? text : h(KINDS[kind], {}, ...visibleNodes(text)),
    ),
  );

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

function modelNodes({ trace: { pretokens }, entryOf }) {
  return [
    chips(pretokens, ({ tokens, text }) =>
      h('span', { class: 'stage-group', title: text }, ...tokens.map(({ id }) => face(entryOf(id), id))),
    ),
  ];
}

function postprocessorNodes({ trace: { tokens }, entryOf, adds }) {
  const added = tokens.filter(token => token.span === null).length;
  if (!added) return [h('p', { class: 'dim' }, 'It adds no token.')];
  const runs = [];
  for (const token of tokens)
    if (token.span === null) runs.push(token);
    else if (typeof runs.at(-1) === 'number') runs[runs.length - 1]++;
    else runs.push(1);
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

/** What decoding gives in place of the text. */
function decoderNodes({ text, decoded, lossy }) {
  if (decoded === text)
    return [h('p', { class: 'dim' }, 'Decoding the tokens gives the same text, character by character.')];
  const why = lossy ? ` This tokenizer does not keep everything: ${lossy}.` : '';
  return [
    h('p', {}, `Decoding the tokens does not give the same text.${why}`),
    ...(decoded === null || decoded === undefined ? [] : [line(textChanges(text, decoded))]),
  ];
}

const face = (entry, id) =>
  h(
    'span',
    { class: 'stage-token' },
    entry ? tokenFace(entry) : null,
    h('small', { class: 'number faint' }, String(id)),
  );

const chips = (list, make) =>
  h(
    'div',
    { class: 'stage-chips' },
    ...list.slice(0, MOST_SHOWN).map(make),
    list.length > MOST_SHOWN ? h('span', { class: 'faint' }, `and ${count(list.length - MOST_SHOWN)} more`) : null,
  );

const NODES = {
  normalizer: normalizerNodes,
  pretokenizer: pretokenizerNodes,
  model: modelNodes,
  postprocessor: postprocessorNodes,
  decoder: decoderNodes,
};

customElements.define('stage-view', StageView);
