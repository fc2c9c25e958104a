/**
 * Types of the backend's answers that several modules use. Declares types alone, so every layer may name them. The
 * types of a single router stand in its module. docs/reference/http-api.md says what each field means.
 *
 * @typedef {[number, number]} Span start and end, half-open
 * @typedef {'parse'|'text'|'reject'} Specials how to treat text that looks like a special token
 *
 * @typedef {Object<string, Uint32Array|Uint8Array>} Arrays of a frame, by name
 * @typedef {{name: string, title: string, subtitle: string, answer: string, summary: string, keys: {letter: string,
 *   name: string}[], figure: Object<string, any>, table: {head: string[], rows: (string|number|null)[][]},
 *   csv: string}} Figure FIGURE: a chart, as `ui/chart_figure.js` has it
 */

/**
 * @template Header
 * @typedef {{header: Header, arrays: Arrays}} Frame a binary answer
 */

/**
 * The facts of the model; which fields there are depends on the rule. BPE: `missing`, `blocked`, `merges`. Unigram:
 * `score` to `segment`. WordPiece: `before`, `after`.
 *
 * @typedef {Object} BoundaryDetails
 * @property {[number, number]} [missing] the tokens that no merge joins
 * @property {BlockedMerge[]} [blocked]
 * @property {Merge[]} [merges] that made the token which covers the place
 * @property {number|null} [score] of the best path, or of the token that covers the place
 * @property {Path|null} [segmentation_without] the best path without the boundary
 * @property {Path|null} [runner_up]
 * @property {number} [worse_by]
 * @property {number|null} [probability]
 * @property {Segment|null} [segment]
 * @property {Lookup} [before]
 * @property {Lookup} [after]
 *
 * @typedef {{pair: [number, number], rank: number, score?: number}} Merge `score` if the model orders merges by it
 * @typedef {Merge & {by: Merge}} BlockedMerge `by`: the merge that came first
 * @typedef {{id: number|null, span: Span}} PathToken `id` null: an unknown character
 * @typedef {{tokens: PathToken[], score: number, left_out?: number}} Path
 * @typedef {{byte: number, candidates: string[], tried: number, found: number|null}} Lookup
 */

/**
 * A span between two boundaries that every segmentation of a Unigram model shares.
 *
 * @typedef {Object} Segment
 * @property {string} text
 * @property {Span} span
 * @property {{tokens: {id: number, span: Span}[], score: number, probability: number}[]} segmentations
 * @property {{byte: number, character: number, probability: number}[]} boundaries
 * @property {{span: Span, characters: number}|null} [excerpt_of] the whole segment, if it was shortened
 */

export {};
