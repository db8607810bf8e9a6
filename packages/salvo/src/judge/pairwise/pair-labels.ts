import { seededRandom } from '../../stats/seeded-random.ts';
import { errorMessage } from '../../text/errors/salvo-error.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';
import { aValue, kindOfValue } from '../../text/words/value-words.ts';
import type { Trace } from '../../trace/trace.ts';
import { traceFrom } from '../../trace/trace-from.ts';
import { type Complain, field, firstObject, isMissing, readLabelLines } from '../calibration/label-lines.ts';
import type { Preference } from './pairwise-outcome.ts';

/** Two answers to one task, and which of them a person prefers. */
export interface LabelledPair {
  /** From 1. */
  line: number;
  a: Trace;
  b: Trace;
  task: string | null;
  /** Pairs of one case may be alike. */
  case: string | null;
  /** `win`: the person prefers a. */
  preferred: Preference;
}

/** Names of the same thing in data sets of preferences. */
const TASKS = ['prompt', 'task', 'question', 'instruction', 'input', 'query'];
const CASES = ['case', 'question_id', 'prompt_id', 'case_id'];
const ANSWERS = {
  a: ['answer_a', 'response_a', 'conversation_a', 'output_a', 'completion_a', 'answer_1', 'response_1', 'output_1'],
  b: ['answer_b', 'response_b', 'conversation_b', 'output_b', 'completion_b', 'answer_2', 'response_2', 'output_2'],
};
const VERDICTS = ['preferred', 'winner', 'preference', 'choice', 'label', 'human'];
const ONE_HOT: readonly (readonly [string, Preference])[] = [
  ['winner_model_a', 'win'],
  ['winner_model_b', 'loss'],
  ['winner_tie', 'tie'],
];
const WORDS: ReadonlyMap<string, Preference> = new Map([
  ...['a', 'model_a', 'answer_a', 'response_a', 'assistant_a', 'a>b', '[[a]]'].map((word) => [word, 'win'] as const),
  ...['b', 'model_b', 'answer_b', 'response_b', 'assistant_b', 'b>a', '[[b]]'].map((word) => [word, 'loss'] as const),
  ...[
    'tie',
    'both',
    'equal',
    'neither',
    'same',
    'a=b',
    '[[c]]',
    'tie (bothbad)',
    'tie_bothbad',
    'bothbad',
    'both_bad',
  ].map((word) => [word, 'tie'] as const),
]);

/** Whether a file has pairs of answers with preferences. */
export function holdsPairs(text: string): boolean {
  const first = firstObject(text);
  if (!first) return false;
  return ['chosen', ...ANSWERS.a].some((key) => !isMissing(field(first, key)));
}

/**
 * The pairs of a JSONL file, one object a line: `{"prompt", "answer_a", "answer_b", "preferred": "a" | "b" | "tie"}`, the
 * forms of MT-bench and of chatbot arenas (`conversation_a`, `winner: model_a`), or `{"prompt", "chosen", "rejected"}`.
 * Throws with the problems of the whole file at once, each with its line.
 */
export function readPairLabels(text: string, { file }: { file: string }): LabelledPair[] {
  // The chosen answer is a or b by a seeded draw: a judge that always prefers a must not look good.
  const random = seededRandom('chosen');
  return readLabelLines(text, {
    file,
    example: '{"prompt": "...", "answer_a": "...", "answer_b": "...", "preferred": "a"}',
    maps: [],
    read: (value, complain) => readPair(value, complain, random),
  });
}

function readPair(
  value: Record<string, unknown>,
  complain: Complain,
  random: () => number,
): Omit<LabelledPair, 'line'> | null {
  const isChosen = !isMissing(field(value, 'chosen')) || !isMissing(field(value, 'rejected'));
  const isFirst = !isChosen || random() < 0.5;
  const keys = isChosen ? { a: ['chosen'], b: ['rejected'] } : ANSWERS;
  const written = [firstOf(value, isFirst ? keys.a : keys.b), firstOf(value, isFirst ? keys.b : keys.a)];
  const preferred = isChosen ? (isFirst ? 'win' : 'loss') : readPreferred(value, complain);
  const [first, second] = written;
  if (!first || !second) {
    const missing = isChosen ? '"chosen" and "rejected"' : '"answer_a" and "answer_b"';
    complain(`needs two answers: ${missing}, each a text or a list of messages`);
    return null;
  }
  const task = taskOf(value, [first.value, second.value], complain);
  const a = readAnswer(first, { task, turn: field(value, 'turn') }, complain);
  const b = readAnswer(second, { task, turn: field(value, 'turn') }, complain);
  if (!a || !b || preferred === null || task === undefined) return null;
  const caseName = firstOf(value, CASES)?.value;
  const isNamed = typeof caseName === 'string' || typeof caseName === 'number';
  return { a: a.trace, b: b.trace, task: a.task ?? task, case: isNamed ? String(caseName) : null, preferred };
}

function firstOf(value: Record<string, unknown>, keys: readonly string[]): { key: string; value: unknown } | undefined {
  const key = keys.find((each) => !isMissing(field(value, each)));
  return key === undefined ? undefined : { key, value: field(value, key) };
}

function readPreferred(value: Record<string, unknown>, complain: Complain): Preference | null {
  const hot = ONE_HOT.filter(([key]) => ['1', 'true'].includes(String(field(value, key)).toLowerCase()));
  const [only, another] = hot;
  if (only && !another) return only[1];
  const given = firstOf(value, VERDICTS);
  if (!given) {
    complain('has no preference: "preferred" should be a, b or tie');
    return null;
  }
  const word = typeof given.value === 'string' ? given.value.trim().toLowerCase().replaceAll(/\s+/g, ' ') : '';
  const found = WORDS.get(word);
  if (found) return found;
  // A name of one of the two models is as clear as a letter.
  const [nameA, nameB] = [field(value, 'model_a'), field(value, 'model_b')];
  if (word !== '' && nameA !== nameB) {
    if (given.value === nameA) return 'win';
    if (given.value === nameB) return 'loss';
  }
  complain(`"${given.key}" should be a, b or tie, but is ${aValue(given.value)}`, `preference ${given.key}`);
  return null;
}

/** Undefined if there is something that is no task. */
function taskOf(
  value: Record<string, unknown>,
  answers: readonly unknown[],
  complain: Complain,
): string | null | undefined {
  const given = firstOf(value, TASKS);
  if (!given) return sharedBeginning(answers);
  const list = typeof given.value === 'string' ? listIn(given.value) : Array.isArray(given.value) ? given.value : null;
  if (!list) {
    if (typeof given.value === 'string') return given.value;
    complain(`"${given.key}" should be a text or a list of messages, but is ${kindOfValue(given.value)}`);
    return undefined;
  }
  const texts = list.map((each) =>
    typeof each === 'string' ? each : isRecord(each) ? field(each, 'content') : undefined,
  );
  if (texts.every((each) => typeof each === 'string')) return texts.join('\n\n');
  complain(`"${given.key}" should be a text or a list of messages, and has something else in it`);
  return undefined;
}

const LAST_TURN = '\n\nAssistant:';

/** Of two written conversations that differ in their last answer, what comes before it. */
function sharedBeginning(answers: readonly unknown[]): string | null {
  const [a, b] = answers;
  if (typeof a !== 'string' || typeof b !== 'string') return null;
  const before = a.slice(0, Math.max(0, a.lastIndexOf(LAST_TURN)));
  return before !== '' && b.startsWith(before + LAST_TURN) ? before.trim() : null;
}

/** A JSON list that a table has as a text. */
function listIn(text: string): unknown[] | null {
  const value = /^\s*\[/.test(text) ? jsonOrUndefined(text) : undefined;
  return Array.isArray(value) && value.length > 0 ? value : null;
}

/** An answer as a trace, and its task if the answer is a whole conversation. */
function readAnswer(
  { key, value }: { key: string; value: unknown },
  { task, turn }: { task: string | null | undefined; turn: unknown },
  complain: Complain,
): { trace: Trace; task?: string } | null {
  const list = typeof value === 'string' ? listIn(value) : Array.isArray(value) ? value : null;
  if (!list && typeof value === 'string') {
    const own =
      task && value.trimStart().startsWith(task) ? value.slice(value.lastIndexOf(LAST_TURN) + LAST_TURN.length) : value;
    return { trace: traceFrom({ response: own.trim(), task }) };
  }
  if (list?.every((each) => typeof each === 'string'))
    return { trace: traceFrom({ response: String(list.at(-1)), task }) };
  if (!list?.every(isRecord)) {
    complain(`"${key}" should be a text or a list of messages, but is ${kindOfValue(value)}`);
    return null;
  }
  // MT-bench has both turns of a conversation, and says which of them was judged.
  const shown =
    turn === 1 || turn === '1' ? list.slice(0, list.findIndex(({ role }) => role === 'assistant') + 1) : list;
  const [user] = shown.filter(({ role }) => role === 'user');
  const hasTask = typeof user?.content === 'string';
  try {
    const messages = hasTask || !task ? shown : [{ role: 'user', content: task }, ...shown];
    const trace = traceFrom({ messages });
    return hasTask ? { trace, task: String(user.content) } : { trace };
  } catch (error) {
    complain(`"${key}": ${errorMessage(error)}`, `messages of ${key}`);
    return null;
  }
}
