/**
 * The editor under the tokens: CodeMirror with what every screen of the lab wants from it. The text is kept exactly as
 * it came, carriage returns included; tokens are drawn by the painter, not by decorations, so that no letter loses its
 * joining.
 */
import {
  Decoration,
  EditorState,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  WidgetType,
  closeSearchPanel,
  defaultKeymap,
  findNext,
  findPrevious,
  historyKeymap,
  keymap,
  lineNumbers,
  openSearchPanel,
  redo,
  search,
  undo,
  Compartment,
} from '../../vendor/codemirror.js';
import { HIDDEN, nameOf } from '../text/visible_text.js';

/** A character without a picture of its own, or one that would reorder its neighbours, shown by its name. */
class HiddenCharacter extends WidgetType {
  /** @param {string} character */
  constructor(character) {
    super();
    this.character = character;
  }
  /** @param {HiddenCharacter} other */
  eq(other) {
    return other.character === this.character;
  }
  ignoreEvent() {
    return false;
  }
  toDOM() {
    const name = document.createElement('span');
    name.className = 'hidden-character';
    name.textContent = nameOf(this.character.codePointAt(0) ?? 0);
    return name;
  }
}

/**
 * A plugin that decorates what a pattern matches, in the visible part of the text.
 * @param {RegExp} regexp @param {Decoration|((match: RegExpExecArray) => Decoration)} decoration
 */
function matching(regexp, decoration) {
  const decorator = new MatchDecorator({ regexp, decoration });
  return ViewPlugin.fromClass(
    class {
      /** @param {EditorView} view */
      constructor(view) {
        this.decorations = decorator.createDeco(view);
      }
      // Not `updateDeco`: without a match it searches to the end of the line, which may be the whole text.
      /** @param {import('../../vendor/codemirror.js').ViewUpdate} update */
      update(update) {
        if (update.docChanged || update.viewportChanged) this.decorations = decorator.createDeco(update.view);
      }
    },
    {
      decorations: plugin => plugin.decorations,
    },
  );
}

const hiddenCharacters = matching(HIDDEN, match => Decoration.replace({ widget: new HiddenCharacter(match[0]) }));

/** Every line finds its own direction: `dir` and not only a style, because the editor reads the computed direction. */
const lineDirection = ViewPlugin.fromClass(
  class {
    /** @param {EditorView} view */
    constructor(view) {
      this.decorations = this.#build(view);
    }
    /** @param {import('../../vendor/codemirror.js').ViewUpdate} update */
    update(update) {
      if (update.docChanged || update.viewportChanged) this.decorations = this.#build(update.view);
    }
    /** @param {EditorView} view */
    #build(view) {
      /** @type {ReturnType<typeof AUTO.range>[]} */
      const lines = [];
      const { from, to } = view.viewport;
      for (let line = view.state.doc.lineAt(from); ; line = view.state.doc.line(line.number + 1)) {
        lines.push(AUTO.range(line.from));
        if (line.to >= to || line.number === view.state.doc.lines) return Decoration.set(lines);
      }
    }
  },
  {
    decorations: plugin => plugin.decorations,
  },
);
const AUTO = Decoration.line({ attributes: { dir: 'auto' } });

/** The browser's own search sees only what is drawn, which of a long text is a window. */
const FINDING = [
  { key: 'Mod-f', run: openSearchPanel, scope: 'editor search-panel' },
  { key: 'F3', run: findNext, shift: findPrevious, scope: 'editor search-panel', preventDefault: true },
  { key: 'Escape', run: closeSearchPanel, scope: 'editor search-panel' },
];

/** Text pasted on Windows comes with CR LF though nobody typed a CR; files keep theirs. */
const pastedLineBreaks = EditorView.clipboardInputFilter.of(text => text.replace(/\r\n?/g, '\n'));

/** Shared by all editors: the page keeps the rules of a theme for ever. @type {Map<string, any>} */
const themes = new Map();

/** @param {Object<string, string>} variables of CSS */
function themeOf(variables) {
  const name = JSON.stringify(variables);
  if (!themes.has(name)) themes.set(name, EditorView.theme({ '&': variables }));
  return themes.get(name);
}

/** @type {Object<string, typeof undo|undefined>} by type of input */
const HISTORY = { historyUndo: undo, historyRedo: redo };

/** Keys and menus of the history act on the session, which keeps it. @param {(command: any) => boolean} run */
const historyOf = run => [
  keymap.of(historyKeymap.map(({ run: command, ...binding }) => ({ ...binding, run: () => run(command) }))),
  EditorView.domEventHandlers({
    /** @param {Event} event */
    beforeinput(event) {
      const command = HISTORY[/** @type {InputEvent} */ (event).inputType];
      if (!command) return false;
      event.preventDefault();
      return run(command);
    },
  }),
];

/**
 * @param {Object} options
 * @param {Element} options.parent @param {string} options.nonce @param {string} options.label
 * @param {import('../../vendor/codemirror.js').Text|string} options.doc
 * @param {import('../../vendor/codemirror.js').EditorSelection} [options.selection]
 * @param {Object<string, string>} [options.variables] as of `layOut`, from the start
 * @param {((command: any) => boolean)|null} options.runHistory runs a command of the history; null: the text is read
 *   only
 * @param {(update: import('../../vendor/codemirror.js').ViewUpdate) => void} [options.onState] called before the editor
 *   draws an update: it may neither change the editor nor ask where its text is
 * @param {(update: import('../../vendor/codemirror.js').ViewUpdate) => void} options.onUpdate
 * @returns {{view: EditorView, layOut: (variables: Object<string, string>) => void, replace: (transaction:
 *   import('../../vendor/codemirror.js').Transaction, isAnew: boolean) => void}} `layOut` sets CSS variables of the
 *   editor as a theme: only then does it measure its rows again. `replace` shows a text that came from outside
 */
export function createEditor({ parent, nonce, label, doc, selection, variables, runHistory, onState, onUpdate }) {
  const layout = new Compartment();
  const readOnly = runHistory === null;
  const state = EditorState.create({
    doc,
    selection,
    extensions: [
      onState ? ViewPlugin.define(() => ({ update: onState })) : [],
      EditorState.lineSeparator.of('\n'),
      EditorView.cspNonce.of(nonce),
      EditorView.lineWrapping,
      EditorView.perLineTextDirection.of(true),
      EditorView.contentAttributes.of({
        'aria-label': label,
        tabindex: '0', // said, so that what scrolls is known to have the focus inside
        ...(readOnly ? {} : { 'data-role': 'text-input' }),
        spellcheck: 'false',
        autocorrect: 'off',
        autocapitalize: 'off',
        translate: 'no',
      }),
      runHistory ? historyOf(runHistory) : [],
      search({ top: true }),
      // Ctrl+Enter encodes again.
      keymap.of([...FINDING, ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter')]),
      lineNumbers(),
      lineDirection,
      hiddenCharacters,
      layout.of(variables ? themeOf(variables) : []),
      readOnly ? [EditorState.readOnly.of(true), EditorView.editable.of(false)] : [],
      pastedLineBreaks,
      EditorView.updateListener.of(onUpdate),
    ],
  });
  const view = new EditorView({ state, parent });
  /** @param {Object<string, string>} now */
  const layOut = now => view.dispatch({ effects: layout.reconfigure(themeOf(now)) });
  /** @param {import('../../vendor/codemirror.js').Transaction} transaction @param {boolean} isAnew */
  const replace = (transaction, isAnew) => {
    if (!isAnew) {
      view.dispatch(transaction);
      return;
    }
    view.setState(transaction.state);
    // A new state is no update to CodeMirror, but it is one to whoever follows the text.
    onUpdate(
      /** @type {any} */ ({
        view,
        state: transaction.state,
        changes: transaction.changes,
        transactions: [transaction],
        docChanged: true,
        selectionSet: true,
      }),
    );
  };
  return { view, layOut, replace };
}
