/**
 * Types of the backend's answers that several modules use. Declares types alone, so every layer may name them. The
 * types of a single router stand in its module. docs/reference/http-api.md says what each field means.
 *
 * @typedef {[number, number]} Span start and end, half-open
 * @typedef {'parse'|'text'|'reject'} Specials how to treat text that looks like a special token
 * @typedef {{message: string, hint: string|null}} Problem
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
 * @typedef {{id: number, text: string|null, bytes: string}} TokenHead a token of a vocabulary; `bytes` in hex; `text`
 *   null: the bytes are not whole characters
 * @typedef {TokenHead & {special: boolean, rank: number|null, score: number|null}} VocabularyToken
 * @typedef {TokenHead & {span_utf8: Span|null, span_char: Span|null, span_utf16: Span|null, special: boolean,
 *   sequence: number|null}} Token a token of a text
 */

/**
 * One tokenizer of the catalog: ENTRY.
 *
 * @typedef {Object} Entry
 * @property {string} id
 * @property {string} name
 * @property {string|null} family
 * @property {boolean} available
 * @property {'built in'|'downloaded'|'added'|'composed'|'plug-in'} source
 * @property {number|null} vocab_size
 * @property {number|null} base_vocab_size
 * @property {number|null} merge_count
 * @property {string|null} licence
 * @property {string|null} origin
 * @property {string|null} sha256
 * @property {number|null} size_bytes
 * @property {{text: string, id: number}[]} special_tokens
 * @property {{normalizer: string, pretokenizer: string, model: string, postprocessor: string, decoder: string}|null}
 *   stages
 * @property {string[]|null} changing_stages
 * @property {string|null} lossy
 * @property {FileTruncation|null} truncation
 * @property {FilePadding|null} padding
 * @property {{place: string, value: string}[]} ignored_fields
 * @property {string|null} repository
 * @property {string|null} revision
 * @property {boolean} gated
 * @property {boolean|null} checked
 * @property {string|null} needs
 * @property {Problem|null} problem
 *
 * @typedef {{max_length: number, stride: number, strategy: 'longest_first'|'only_first'|'only_second', direction:
 *   'left'|'right'}} FileTruncation
 * @typedef {{length: number|null, pad_to_multiple_of: number|null, pad_id: number, pad_type_id: number, pad_token:
 *   string, direction: 'left'|'right'}} FilePadding
 */

/**
 * One text under one tokenizer: RESULT without its lists, as frames have it.
 *
 * @typedef {Object} Result
 * @property {string} tokenizer
 * @property {number} text_bytes
 * @property {number} text_characters
 * @property {number} count
 * @property {number|null} text_token_count
 * @property {number|null} added_special_count
 * @property {number} padding_count
 * @property {number} unknown_count
 * @property {number|null} bytes_per_token
 * @property {number|null} characters_per_token
 * @property {number|null} unknown_rate
 * @property {number|null} pretoken_count
 * @property {number|null} split_character_count
 * @property {boolean} has_spans
 * @property {boolean|null} round_trip null: not measured, in answers about documents
 * @property {number} elapsed_ns
 *
 * @typedef {Result & {ids: number[], type_ids: number[], attention_mask: number[], overflowing: number[][], tokens:
 *   Token[]}} ResultWithTokens RESULT
 */

/**
 * Why a text has a boundary at a place, or none.
 *
 * @typedef {Object} Place
 * @property {number} at byte
 * @property {boolean} boundary
 * @property {'edge'|'added token'|'normalizer'|'pretokenizer'|'model'} stage
 * @property {string|null} rule
 * @property {BoundaryDetails|null} details
 * @property {string} reason a plain sentence
 * @property {string} summary the mechanism
 * @property {BoundaryEdit|null} edit
 *
 * @typedef {{kind: string, span_utf8: Span, by: string, text: string, token: string, summary: string}} BoundaryEdit
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
