/**
 * Whether the engine gives the IDs of the reference libraries for one tokenizer: who can be asked, a button that asks,
 * and what the last comparison has found. It is a job: it goes on when the row is closed.
 */
import { h } from '../../ui/dom.js';
import { LabElement } from '../../ui/element.js';
import { visibleNodes } from '../../ui/tokens/token_spans_text.js';
import { table } from '../../ui/table.js';
import { count, listed, plural, problemWords, size, whenWords } from '../../util/format.js';

const MOST_SHOWN = 5;

/**
 * @typedef {import('../../api/schema.d.ts').Conformance} Conformance
 * @typedef {import('../../api/schema.d.ts').ReferenceState} Reference
 * @typedef {Pick<typeof import('../../api/probes.js'), 'listReferences'|'startConformance'>} Client
 */
export class ConformanceCheck extends LabElement {
  #id;
  #client;
  #jobs;
  /** @type {Reference[]|null} null: not known yet */
  #references = null;
  /** @type {{created_at: string, result: Conformance}|null} */
  #last = null;
  #isBusy = false;
  /** Why a check failed. @type {(Error & {hint?: string})|null} */
  #error = null;
  /** Why the libraries are not known. @type {(Error & {hint?: string})|null} */
  #unknown = null;

  /**
   * @param {string} id of the tokenizer
   * @param {Client} client
   * @param {import('../../app/state/job_store.js').JobStore} jobs
   */
  constructor(id, client, jobs) {
    super();
    this.#id = id;
    this.#client = client;
    this.#jobs = jobs;
  }

  /** @param {AbortSignal} life */
  connected(life) {
    // One that was under way when the page was opened.
    /** @param {Event} event */
    const onEnded = event => /** @type {CustomEvent} */ (event).detail.job.kind === 'conformance' && this.#ask();
    this.#jobs.addEventListener('ended', onEnded, { signal: life });
    this.#ask();
  }

  /** Asks which libraries there are, and what was found. */
  async #ask() {
    try {
      ({ references: this.#references, last: this.#last } = await this.#client.listReferences(this.#id));
      this.#unknown = null;
    } catch (error) {
      this.#unknown = /** @type {Error} */ (error);
    }
    this.#draw();
  }

  async #check() {
    this.#isBusy = true;
    this.#error = null;
    this.#draw();
    try {
      await this.#jobs.follow(await this.#client.startConformance(this.#id));
    } catch (error) {
      this.#error = /** @type {Error} */ (error);
    }
    this.#isBusy = false;
    this.#draw();
  }

  #draw() {
    const references = this.#references ?? [];
    const usable = references.filter(({ version, misfit }) => version !== null && misfit === null);
    const label = `${this.#last ? 'Check again' : 'Check'} against ${listed(usable.map(({ name }) => name))}`;
    // The button stays the same element: it keeps the focus.
    const button =
      this.querySelector('button') ??
      h('button', { type: 'button', class: 'button framed', onclick: () => this.#isBusy || this.#check() });
    button.textContent = this.#isBusy ? 'Checking…' : label;
    button.ariaDisabled = String(this.#isBusy);
    button.hidden = !usable.length;
    const error = this.#error ?? this.#unknown;
    const message = this.#references ? this.#verdict(usable) : error ? '' : 'Looking for libraries…';
    const parts = [
      h('p', { role: 'status' }, message),
      error ? h('p', { class: 'warning', role: 'alert' }, problemWords(error)) : null,
      ...(this.#last?.result.against ?? []).filter(({ smallest }) => smallest.length).map(differences),
      ...references.map(reasonOf).map(reason => reason && h('p', { class: 'dim' }, reason)),
    ].filter(part => part !== null);
    for (const part of [...this.children]) if (part !== button) part.remove();
    if (button.parentElement !== this) this.append(button);
    button.before(...parts);
  }

  /** @param {Reference[]} usable */
  #verdict(usable) {
    if (!usable.length) return 'No reference library here reads this tokenizer.';
    if (!this.#last) return 'Not checked yet: a check compares the IDs of generated texts.';
    const { created_at: time, result } = this.#last;
    return `${verdictOf(result)} ${whenWords(time)}.`;
  }
}

/**
 * What a comparison has found, as a sentence.
 * @param {Conformance} result
 */
export function verdictOf({ against, same }) {
  const others = listed(against.map(({ reference, version }) => `${reference} ${version}`));
  const texts = against[0]?.compared ?? [];
  const compared = plural(sum(texts, 'documents'), 'text');
  if (same === null) return 'No library could be asked.';
  if (same) return `Same IDs as ${others} for ${compared}, ${size(sum(texts, 'bytes'))}.`;
  const worst = against
    .map(({ reference, compared: found }) => `${count(sum(found, 'different'))} from ${reference}`)
    .join(', ');
  return `Other IDs for some of ${compared}: ${worst}.`;
}

/** @param {any[]} rows @param {string} field */
const sum = (rows, field) => rows.reduce((total, row) => total + row[field], 0);

/** Why a library is not asked; null if it is. @param {Reference} reference */
const reasonOf = ({ name, misfit, install }) =>
  misfit ?? (install ? `${name} is not installed. Install it with: ${install}` : null);

/** The smallest texts with other IDs. @param {import('../../api/schema.d.ts').Against} against */
const differences = ({ reference, smallest }) =>
  table({
    caption: `Smallest texts on which ${reference} gives other IDs`,
    columns: ['Text', { label: 'Engine', className: 'mono' }, reference],
    hasNames: true,
    rows: smallest
      .slice(0, MOST_SHOWN)
      .map(({ text, ours, theirs, problem }) => [
        h('bdi', { class: 'mono' }, ...visibleNodes(text)),
        ours.join(' '),
        theirs ? h('span', { class: 'mono' }, theirs.join(' ')) : (problem ?? ''),
      ]),
  });

customElements.define('conformance-check', ConformanceCheck);
