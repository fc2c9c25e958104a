/**
 * Answers of the engine for pages, for the tests in Python: reads `{"module", "tokenizers": [{"state", "covered"}],
 * "questions": [{"call", ...}]}` and prints a list of answers, `{"error"}` for what was refused. Bytes are base64, the
 * module compressed.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { PageEngine } from '../../lab_ui/js/handout/engine.js';

const { module, tokenizers, questions } = JSON.parse(readFileSync(0, 'utf8'));
const engine = await PageEngine.start(gunzipSync(readFileSync(module)));
for (const { state, covered } of tokenizers) engine.load(Buffer.from(state, 'base64'), covered);

const decoder = new TextDecoder();
const answers = questions.map(({ call, ...of }) => {
  try {
    const answer = engine[call](of);
    if (call !== 'lesson') return answer;
    const starts = [0, ...answer.ends];
    const frames = [...answer.ends].map((end, n) => JSON.parse(decoder.decode(answer.frames.subarray(starts[n], end))));
    return { facts: answer.facts, frames };
  } catch (error) {
    return { error: [error.message, error.hint].filter(Boolean).join('; ') };
  }
});
process.stdout.write(JSON.stringify(answers));
