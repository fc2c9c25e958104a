import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionView } from '../../lab_ui/js/editor/session_view.js';
import { TextSession } from '../../lab_ui/js/text/session.js';
import { EditorState } from '../../lab_ui/vendor/codemirror.js';

/** An editor without a page, which tells its edits to the view of the session. */
function shownEditor(session) {
  const view = { state: EditorState.create({ doc: session.doc }) };
  const dispatch = transaction => {
    view.state = transaction.state;
    sessionView.take({ transactions: [transaction], state: view.state });
    sessionView.drawn();
  };
  const editor = { view, replace: dispatch, toTop: () => {} };
  const sessionView = new SessionView(session, 'toy', editor);
  sessionView.show();
  return { sessionView, editor, type: change => dispatch(view.state.update({ changes: change })) };
}

test('an edit of the session is not told to it again', () => {
  const session = new TextSession();
  session.setText('one');
  shownEditor(session);
  const { version } = session;
  session.edit({ from: 3, to: 3, insert: ' two' });
  assert.equal(session.version, version + 1);
});

test('an editor that failed once to follow the session still edits it', () => {
  const session = new TextSession();
  session.setText('one');
  const { sessionView, editor, type } = shownEditor(session);
  const { replace } = editor;
  editor.replace = transaction => {
    editor.replace = replace;
    replace(transaction);
    throw new Error('not drawn');
  };
  sessionView.hide(0);
  session.edit({ from: 3, to: 3, insert: ' two' });
  assert.throws(() => sessionView.show(), /not drawn/);
  type({ from: 0, insert: 'zero ' });
  assert.equal(session.text, 'zero one two');
});
