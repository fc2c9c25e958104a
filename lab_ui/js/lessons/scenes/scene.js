/**
 * What a lesson needs to be shown. A scene is pure: it draws and says what the engine's state has.
 *
 * @typedef {import('../frame_store.js').State} State
 * @typedef {import('../say.js').Part} Part
 *
 * @typedef {Object} View what is shown
 * @property {any} facts docs/reference/lessons.md
 * @property {number} at
 * @property {number} last the last step
 * @property {State} state
 * @property {State|null} next the state after the next step; null: there is none
 * @property {(n: number) => State} stateAt
 * @property {(n: number) => import('../frame_store.js').Now} nowAt
 * @property {boolean} isAsked the learner chooses what comes next, and has not yet
 * @property {string|null} chosen what was pressed, and was not right: the right choice is shown, too
 * @property {Map<number, string>} guesses by step: what was pressed first
 *
 * @typedef {Object} TableRow
 * @property {string[]} cells
 * @property {string} [ref]
 * @property {string} [choice] pressing the row chooses it
 * @property {boolean} [isMarked] the step was about it
 * @property {number[]} [colours] those of the tokens of the first cell, which has ` + ` between them, as in the figure
 *
 * @typedef {{caption: string, columns: string[], numeric: number[], rows: TableRow[]}} StepTable `numeric`: the columns
 *   of numbers
 *
 * @typedef {Pick<Scene, 'name'|'group'|'model'|'example'|'specials'|'learn'|'draws'>} LessonEntry a lesson in the list
 *
 * @typedef {Object} Scene
 * @property {string} name of the lesson
 * @property {string} group
 * @property {string} model that the tokenizer must have, '' if any will do
 * @property {string} example a text to begin with
 * @property {number} [learn] how many tokens are learnt, else as many as the backend says
 * @property {import('../../api/types.js').Specials} [specials] what becomes of special tokens in the text; else the
 *   setting says
 * @property {boolean} [draws] whether it draws with a seed
 * @property {(view: View, sheet: import('../figures/sheet.js').Sheet, markOf: (key: string) => 'wrong'|'right'|'') =>
 *   void} draw `markOf`: what a press has shown of a choice
 * @property {(view: View) => Part[]} sentence what the last step did
 * @property {(now: import('../frame_store.js').Now, facts: any) => string} stop a word for a stop, or ''
 * @property {(next: import('../frame_store.js').Now, at: number, last: number, stateAt: (n: number) => State) =>
 *   boolean} asks whether step `at` waits for a choice of what comes next
 * @property {(view: View) => string|null} right the key of the right choice, where one is asked for
 * @property {(view: View, key: string) => boolean} [isRight] whether a choice is as good as that one
 * @property {(view: View, chosen: string, right: string) => Part[]} miss why another choice is wrong
 * @property {(view: View) => Part[]|null} [answer] what is said of the right choice, if not what the next step did
 * @property {(view: View) => StepTable} table the state as numbers
 * @property {(view: View) => string} task what to do now
 */

/**
 * Remembers what is found out of a whole lesson, whose steps all ask for it.
 * @template {{facts: any}} Asking
 * @template Found
 * @param {(asking: Asking) => Found} find
 * @returns {(asking: Asking) => Found}
 */
export function oncePerLesson(find) {
  /** @type {WeakMap<any, Found>} by facts */
  const known = new WeakMap();
  return asking => {
    const { facts } = asking;
    if (!known.has(facts)) known.set(facts, find(asking));
    return /** @type {Found} */ (known.get(facts));
  };
}

/** The word that a step is about, else the one that the next step is about. @param {View} view */
export const wordOf = ({ state, next, isAsked }) =>
  (isAsked ? (next?.now.pretoken ?? state.now.pretoken) : (state.now.pretoken ?? next?.now.pretoken)) ?? null;
