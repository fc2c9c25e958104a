/**
 * What two tokenizers have in common and what sets them apart. Gets `choices` (the tokenizers in use), and `showTransfer` or
 * `showVocabulary` with the answers; reports `pair` with the two ids when others are chosen. Asks for nothing itself.
 */
import { h } from '../lib/dom.js';
import { count, percent, plural, ratio } from '../lib/format.js';

const MOST = 12;

export class PairReport extends HTMLElement {
  #selects = [0, 1].map(n => h('select', { ariaLabel: n ? 'The tokenizer to go to' : 'The tokenizer to come from', 'data-role': n ? 'pair-b' : 'pair-a', onchange: () => this.#report() })); #body = h('div', { class: 'pair-body', tabIndex: 0, role: 'region', 'aria-label': 'Two tokenizers beside each other' });

  connectedCallback() {
    if (this.firstChild) return;
    this.append(h('div', { class: 'pair-head' }, this.#selects[0], h('button', { type: 'button', class: 'button', 'aria-label': 'Swap the two', title: 'Swap the two', 'data-role': 'pair-swap', onclick: () => { this.pair = [this.pair[1], this.pair[0]]; this.#report(); } }, '⇄'), this.#selects[1]), this.#body);
  }

  /** @param {{id: string, name: string}[]} tokenizers two or more */
  set choices(tokenizers) {
    const before = this.pair;
    this.#selects.forEach((select, n) => {
      select.replaceChildren(...tokenizers.map(({ id, name }) => h('option', { value: id }, name)));
      const kept = tokenizers.some(({ id }) => id === before[n]);
      select.value = kept ? before[n] : tokenizers[Math.min(n, tokenizers.length - 1)]?.id ?? '';
    });
    if (this.pair[0] === this.pair[1] && tokenizers.length > 1) this.#selects[1].value = tokenizers.find(({ id }) => id !== this.pair[0]).id;
  }

  /** @returns {[string, string]} */
  get pair() { return [this.#selects[0].value, this.#selects[1].value]; }

  /** Nothing is known yet. @param {string} words */
  wait(words) { this.#body.replaceChildren(h('p', { class: 'dim' }, words)); }

  /** @param {string[]} pair ids of two that can be chosen */
  set pair(pair) { this.#selects.forEach((select, n) => { select.value = pair[n]; }); }

  /** Ids of one as ids of the other. @param {{report: Object, transfer: Object, nameOf: (id: string) => string}} answers */
  showTransfer({ report, transfer, nameOf }) {
    const a = nameOf(report.a), b = nameOf(report.b), { rows } = report;
    this.#body.replaceChildren(
      section('This text', `ids of ${a} as ids of ${b}`, [
        ['tokens', `${count(transfer.from_count)} → ${count(transfer.to_count)}`],
        ['lost', transfer.lossless ? 'nothing' : plural(transfer.losses.length, 'place')],
      ], '', lines(transfer.losses.map(loss => loss.what))),
      section(`A table of embeddings for ${b}`, `from that of ${a}`, [
        ['rows to copy', count(rows.copied)],
        ['to compose', rows.composed ? `${count(rows.composed)}, of ${ratio(rows.mean_parts)} on average` : '0'],
        ['with nothing to take', count(rows.fresh)],
      ], 'A row is copied where both have the token, composed of the rows of its parts where they do not.'));
  }

  /** What two vocabularies have in common and what sets the tokenizers apart. @param {{report: Object, difference: Object, nameOf: (id: string) => string}} answers */
  showVocabulary({ report, difference, nameOf }) {
    const a = nameOf(report.a), b = nameOf(report.b);
    const matched = report.specials.filter(special => special.a !== null && special.b !== null).length;
    this.#body.replaceChildren(
      section('What they share', '', [
        ['tokens of both', `${count(report.shared_tokens)}, ${percent(report.share_of_a)} of ${a}, ${percent(report.share_of_b)} of ${b}`],
        ['with the same id', count(report.same_ids)],
        ['special tokens of both', `${count(matched)} of ${count(report.specials.length)}`],
      ], 'Tokens are the same where they stand for the same bytes and both or neither begin a word.'),
      section('On this text', 'special tokens around it left out', report.counts === null ? [] : [
        ['tokens', `${a} ${count(report.counts[0])}, ${b} ${count(report.counts[1])}`],
        ['cuts', `${percent(report.agreement)} agree`],
        ['divergences', count(report.divergences)],
      ]),
      section('What sets them apart', difference.same ? 'nothing: they are the same tokenizer' : '', difference.same ? [] : [
        ['only in', `${a} ${count(difference.vocabulary.removed_count)}, ${b} ${count(difference.vocabulary.added_count)} tokens`],
        ['other ids', count(difference.vocabulary.changed_count)],
        ...(difference.merges ? [['merges', difference.merges.first_difference === null ? 'the same' : difference.merges.first_difference === 0 ? 'others from the first on' : `the same up to rank ${count(difference.merges.first_difference)}`]] : []),
        ['stages', difference.stages.map(({ stage }) => stage.replace('_', '')).join(', ') || 'the same'],
      ], '', difference.same ? null : lines([...sample(difference.vocabulary.removed, a), ...sample(difference.vocabulary.added, b)])));
  }

  #report() { this.dispatchEvent(new CustomEvent('pair', { detail: this.pair, bubbles: true })); }
}

const sample = (tokens, name) => (tokens.length ? [`only in ${name}: ${tokens.slice(0, MOST).join('  ')}`] : []);

const lines = words => (words.length ? h('ul', { class: 'pair-lines' }, ...words.slice(0, MOST).map(line => h('li', {}, h('bdi', {}, line))), words.length > MOST ? h('li', { class: 'dim' }, `and ${count(words.length - MOST)} more`) : null) : null);

function section(title, words, facts, note = '', more = null) {
  return h('section', {}, h('h2', {}, title), words ? h('p', { class: 'dim' }, words) : null,
    h('dl', {}, ...facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', { class: 'number' }, value)])), note ? h('p', { class: 'faint' }, note) : null, more);
}

customElements.define('pair-report', PairReport);
