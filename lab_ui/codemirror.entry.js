/**
 * What the page uses of CodeMirror 6. `build_vendor.mjs` bundles it into `vendor/codemirror.js`, which the page imports.
 *
 * Not part of the page itself. Add a name here when a component needs it, then run `npm run build`.
 */
export {
  Annotation, ChangeDesc, ChangeSet, CharCategory, Compartment, EditorSelection, EditorState, Facet, MapMode, Prec,
  RangeSet, RangeSetBuilder, RangeValue, SelectionRange, StateEffect, StateField, Text, Transaction, codePointAt,
  codePointSize, combineConfig, countColumn, findClusterBreak, fromCodePoint,
} from '@codemirror/state';
export {
  BidiSpan, BlockInfo, BlockType, Decoration, Direction, EditorView, GutterMarker, MatchDecorator, RectangleMarker,
  ViewPlugin, ViewUpdate, WidgetType, crosshairCursor, drawSelection, dropCursor, gutter, gutters, highlightActiveLine,
  highlightActiveLineGutter, highlightSpecialChars, highlightTrailingWhitespace, highlightWhitespace, hoverTooltip,
  keymap, layer, lineNumberMarkers, lineNumbers, logException, panels, placeholder, rectangularSelection,
  runScopeHandlers, scrollPastEnd, showPanel, showTooltip, tooltips,
} from '@codemirror/view';
export {
  cursorGroupLeft, cursorGroupRight, defaultKeymap, emacsStyleKeymap, history, historyField, historyKeymap,
  insertNewline, insertTab, isolateHistory, redo, selectAll, standardKeymap, undo,
} from '@codemirror/commands';
export {
  RegExpCursor, SearchCursor, SearchQuery, closeSearchPanel, findNext, findPrevious, getSearchQuery, gotoLine,
  highlightSelectionMatches, openSearchPanel, search, searchKeymap, setSearchQuery,
} from '@codemirror/search';
