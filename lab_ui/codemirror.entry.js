/**
 * What the page uses of CodeMirror 6. `build_vendor.mjs` bundles it into `vendor/codemirror.js`, which the page
 * imports.
 *
 * Not part of the page itself. Add a name here when a module needs it, then run `npm run build`.
 */
export {
  ChangeDesc,
  ChangeSet,
  Compartment,
  EditorSelection,
  EditorState,
  MapMode,
  StateEffect,
  StateField,
  Text,
  Transaction,
} from '@codemirror/state';
export {
  Decoration,
  Direction,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  ViewUpdate,
  WidgetType,
  keymap,
  lineNumbers,
} from '@codemirror/view';
export {
  defaultKeymap,
  history,
  historyKeymap,
  invertedEffects,
  isolateHistory,
  redo,
  undo,
} from '@codemirror/commands';
export { closeSearchPanel, findNext, findPrevious, openSearchPanel, search } from '@codemirror/search';
