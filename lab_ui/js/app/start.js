/** Puts the lab together and starts it. */
import * as jobsClient from '../api/jobs.js';
import { SESSION_CLIENT } from '../api/session_client.js';
import { Vocabulary } from '../api/tokenizers.js';
import { TextSession } from '../text/session.js';
import { closest, listen } from '../ui/dom.js';
import { fontsLoaded, watchFonts } from '../ui/fonts.js';
import { Activity } from './state/activity.js';
import { AddTokenizer } from './tokenizers/add_tokenizer.js';
import { acceptLink, findToken, openLink } from './state/address.js';
import { AppFrame } from './frame/app_frame.js';
import { connectBar } from './frame/bar.js';
import { Catalog } from './tokenizers/catalog.js';
import { Clipboard } from './exports/clipboard.js';
import { CitationDialog } from './exports/citation_dialog.js';
import { CommandPalette } from './commands/command_palette.js';
import { labCommands } from './commands/commands.js';
import { fillExportMenu } from './exports/export_menu.js';
import { contextMaker } from './context.js';
import { EarlyKeys } from './commands/early_keys.js';
import { Exports } from './exports/exports.js';
import { Files } from './files/files.js';
import { OpenedFiles } from './files/opened_files.js';
import { JobStore, failureOf } from './state/job_store.js';
import { KeyMap } from './commands/key_map.js';
import { Remembering } from './state/remembering.js';
import { Router } from './state/router.js';
import { Settings } from './state/settings.js';
import { SHARED } from './state/shared_settings.js';
import { Shell } from './shell.js';
import { keyListener } from './commands/shortcuts.js';
import { SPECIAL_TEXT_LABEL } from './special_token_options.js';
import { Status } from './state/status.js';
import { followTheme } from './frame/theme.js';
import { TokenizerDialog } from './tokenizers/tokenizer_dialog.js';
import { showUncaught } from './frame/uncaught.js';

const RESUME_MS = 1000;

/**
 * @param {import('./shell.js').ScreenEntry[]} screens the first is the start page
 * @param {{nonce: string, maxRequestBytes: number}} page what the backend wrote into it
 */
export async function start(screens, { nonce, maxRequestBytes }) {
  const frame = new AppFrame();
  const palette = new CommandPalette();
  const keyMap = new KeyMap();
  const citation = new CitationDialog();
  const addTokenizer = new AddTokenizer();
  document.body.append(frame, addTokenizer, palette, keyMap, citation);
  frame.start(screens);
  const early = new EarlyKeys(window);

  const settings = new Settings();
  settings.define('', SHARED);
  const activity = new Activity(document.documentElement, frame.work);
  const status = new Status(frame, error => hintOf(error, settings));
  /** @param {unknown} error */
  const showError = error => (error ? status.shown.showError(error) : status.shown.clearError());
  showUncaught(window, showError);
  const session = new TextSession({ client: SESSION_CLIENT, track: work => activity.track(work) });
  const vocabulary = new Vocabulary();
  const jobs = new JobStore(jobsClient);
  const catalog = new Catalog(settings, jobs, vocabulary);
  const clipboard = new Clipboard(message => status.announce(message));
  const router = new Router(screens.map(({ name }) => name));
  palette.suggest = text => openLink(router, text);
  palette.fallback = text => findToken(router, text);
  const dialog = new TokenizerDialog(addTokenizer, catalog, settings, activity, jobs, showError);
  const contextOf = contextMaker(
    {
      settings,
      catalog,
      session,
      jobs,
      router,
      activity,
      vocabulary,
      clipboard,
      dialog,
      openFile: () => frame.openFile(),
      nonce,
    },
    status,
  );
  const context = () => contextOf(router.screen || screens[0].name);
  const shell = new Shell(screens, frame, contextOf, status, (...link) => acceptLink(context(), ...link));
  const files = new Files(session, activity, showError, maxRequestBytes, added => dialog.addFiles(added));
  const opened = new OpenedFiles(context(), shell, dialog, status);
  citation.copy = (text, message) => clipboard.copy(text, message);
  const exports = new Exports(
    context(),
    status,
    () => shell.screen,
    found => citation.show(found),
  );

  const remembering = new Remembering(settings, session, error => status.showSticky(error));
  const load = async () => {
    try {
      const [, textNotKept] = await Promise.all([catalog.load(), remembering.restore()]);
      catalog.choose(catalog.chosen);
      if (textNotKept) status.showSticky(textNotKept);
    } catch (error) {
      status.showSticky(error);
    }
  };
  shell.preload();
  watchFonts(work => activity.track(work));
  await activity.track(Promise.all([load(), fontsLoaded()]));
  remembering.start();
  followTheme(settings);
  keepAddressTrue(context());
  settings.on(['chosen'], () => status.endSticky());
  listen(session, 'edit', ({ isNewText }) => isNewText && status.shown.now(''));
  followResumedJobs(jobs, catalog, showError);

  const commands = () => [
    ...(shell.screen?.commands ?? []).map(command => ({ group: shell.entry.label, ...command })),
    ...labCommands(context(), screens, exports, {
      openFile: () => frame.openFile(),
      renew: () => shell.screen?.renew(),
      showKeys: () => keyMap.show(commands(), settings),
      showPalette: () => palette.show(commands()),
      showExports: () => palette.show(commands(), 'export'),
    }),
  ];
  /** @param {import('../ui/menu_button.js').MenuButton} menu */
  const fillExports = menu => fillExportMenu(menu, context, exports);
  connectBar(frame, context(), shell, screens, fillExports, showError);
  const takesSingleKeys = () => settings.get('singleKeys');
  /** @param {KeyboardEvent} event */
  const onEscape = event => {
    if (shell.screen?.stop()) return;
    // In the text, a second use of the key lets the keyboard leave the editor.
    if (closest(event, '[contenteditable=true]')) /** @type {HTMLElement} */ (event.target).blur();
    else shell.screen?.focusText();
  };
  addEventListener('keydown', keyListener({ commands, takesSingleKeys, onEscape }));
  listen(frame, 'palette', () => palette.show(commands()));
  listen(frame, 'openfile', chosen => files.open(chosen));
  listen(frame, 'skip', () => shell.screen?.focusText());
  listen(frame.banner, 'dismiss', () => status.dismiss());
  files.acceptDrops(() => shell.screen);

  const typed = early.end();
  const filesWait = opened.start();
  shell.start();
  if (typed !== null) {
    palette.show(commands());
    palette.type(typed);
  }
  // What the first screen needs comes first.
  await activity.whenReady();
  if (filesWait) opened.open();
  setTimeout(() => jobs.resume().catch(showError), RESUME_MS);
}

/** @param {Error & {hint?: string, code?: string}} error @param {Settings} settings @returns {string|undefined} */
const hintOf = ({ code, hint }, settings) =>
  code === 'encode_error' && settings.get('specials') === 'reject'
    ? `In “View options”, “${SPECIAL_TEXT_LABEL}”, choose “ordinary text” or “special token”.`
    : hint;

/**
 * A link in the address is dropped as soon as it is no longer what is shown.
 * @param {import('./context.js').Context} context
 */
function keepAddressTrue({ settings, session, router }) {
  settings.on(null, changed => {
    if (changed.size > 1 || !changed.has('letters')) router.forgetLink();
  });
  session.addEventListener('edit', () => router.forgetLink());
}

/**
 * What a job brings that was begun before the page was loaded.
 * @param {JobStore} jobs @param {Catalog} catalog @param {(error: unknown) => void} showError
 */
function followResumedJobs(jobs, catalog, showError) {
  listen(jobs, 'ended', async ({ job, resumed }) => {
    if (!resumed) return;
    try {
      if (job.error) throw failureOf(job);
      if (job.state === 'done' && job.kind === 'fetch') await catalog.renew(job.result?.id);
    } catch (error) {
      showError(error);
    }
  });
}
