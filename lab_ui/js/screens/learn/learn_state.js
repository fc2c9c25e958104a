/** What Learn shows, and how its address says it. */
import { LESSONS } from '../../lessons/scenes/index.js';

/** @typedef {'watch'|'do'} Way */
/**
 * @typedef {{lesson: string, way: Way, sample: string|null, at: number}} LearnState `sample`: the text, null for the
 *   lesson's example; `at`: the step
 */

/** @param {LearnState} state @returns {URLSearchParams} */
export function paramsOf({ lesson, way, sample, at }) {
  const params = new URLSearchParams({ lesson });
  if (way === 'do') params.set('way', way);
  if (sample !== null) params.set('sample', sample);
  if (at) params.set('at', String(at));
  return params;
}

/** The inverse of `paramsOf`; ignores unknown values. @param {URLSearchParams} params @returns {LearnState} */
export function stateOf(params) {
  const lesson = LESSONS.find(({ name }) => name === params.get('lesson')) ?? LESSONS[0];
  const at = /^\d{1,6}$/.test(params.get('at') ?? '') ? Number(params.get('at')) : 0;
  return { lesson: lesson.name, way: params.get('way') === 'do' ? 'do' : 'watch', sample: params.get('sample'), at };
}

/** @param {string} name @returns {import('../../lessons/scenes/scene.js').LessonEntry} */
export const lessonOf = name => LESSONS.find(lesson => lesson.name === name) ?? LESSONS[0];

/**
 * Whether a lesson can be shown with a tokenizer: it has the lesson's model. A plug-in has no steps to show.
 * @param {import('../../lessons/scenes/scene.js').LessonEntry} scene
 * @param {import('../../api/schema.d.ts').CatalogEntry|null} entry
 */
export const fits = ({ model }, entry) =>
  Boolean(entry?.stages && entry.source !== 'plug-in' && entry.stages.model.endsWith(model));
