/**
 * The types that the text session, its live encodings and its clients share. No code.
 *
 * @typedef {import('./token_spans.js').TokenSpans} TokenSpans
 * @typedef {import('./text_slice.js').TextSlice} TextSlice
 * @typedef {import('./divergences.js').Divergences} Divergences
 * @typedef {import('../../vendor/codemirror.js').Text} Text
 * @typedef {import('../../vendor/codemirror.js').ChangeSet} ChangeSet
 * @typedef {import('../../vendor/codemirror.js').EditorSelection} Selection
 * @typedef {{from: number, to: number}} Range UTF-16
 *
 * @typedef {{name: string|null, encoding: string}} Source where a text came from
 *
 * @typedef {Object} Edit
 * @property {ChangeSet} changes
 * @property {Object|null} origin the editor that made the edit and shows it already; null: none
 * @property {Selection|null} selection where the caret goes in the editor that is shown; null: it moves along
 * @property {boolean} isNewText whether another text took the place of the whole text
 *
 * @typedef {{selection: Selection, top: number}} Place the caret of an editor, and the position at its upper edge
 * @typedef {EventTarget & {doc: Text, length: number, text: string, version: number}} SessionText what a live encoding
 *   reads of the session
 *
 * @typedef {{addSpecialTokens: boolean, specials: import('../api/types.js').Specials, ignoreSpaces: boolean|null}}
 *   Options `ignoreSpaces` null: nothing is compared
 *
 * @typedef {{tokenizers: string[], options: Options, revisions?: string[], isEditable?: boolean}} Wanted `revisions` of
 *   the tokenizers; `isEditable`: whether all of them can follow edits (plug-ins cannot)
 *
 * @typedef {Object} Encoded
 * @property {TokenSpans[]} tokens per tokenizer
 * @property {import('../api/schema.d.ts').EncodingSummary[]} results per tokenizer
 * @property {{text_bytes?: number, text_characters?: number}} header empty while only a part is known
 * @property {number[][]|null} [agreement] null or absent: nothing is compared
 * @property {Divergences|null} [divergences]
 *
 * @typedef {{text: string|TextSlice, tokenizers: string[], roundTrip?: () => Promise<boolean[]|null>} & Encoded} Answer
 *   `roundTrip`: whether decoding restores a long text, where the results do not say
 *
 * @typedef {Object} DocumentMethods
 * @property {(change: {from: number, to: number, insert: string}, signal: AbortSignal) => Promise<() => void>} edit
 *   resolves to a function that changes the tokens in place
 * @property {() => Promise<boolean[]|null>} roundTrip
 * @property {() => void} close
 * @typedef {Encoded & DocumentMethods} OpenDocument a text that the backend keeps
 *
 * @typedef {Object} Client
 * @property {(tokenizers: string[], text: TextSlice, options: Options, signal: AbortSignal) => Promise<OpenDocument>}
 *   open
 * @property {(tokenizers: string[], text: TextSlice, range: Range, options: Options, signal: AbortSignal) =>
 *   Promise<{tokens: TokenSpans[], divergences: Divergences|null}|null>} tokensWithin
 * @property {(tokenizers: string[], text: string, options: Options, signal: AbortSignal) => Promise<Encoded>}
 *   encodeWhole
 *
 * @typedef {Object} Viewer the editor that shows the tokens
 * @property {Range} shown the viewport
 * @property {Range} soonShown the viewport of a text that is not laid out yet, as far as is known
 * @property {() => Promise<void>} drawn settles when what was shown is drawn
 *
 * @typedef {{client: Client, clock: import('./timing.js').Clock, track: <T>(work: Promise<T>) => Promise<T>}} Services
 *   `client` asks the backend; `track` is told of work that is under way
 */
export {};
