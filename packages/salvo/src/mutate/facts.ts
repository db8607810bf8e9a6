import { keysIn, knownValue, valuesIn } from '../scenario/from-trace/known-values.ts';
import { isRecord } from '../text/json/is-record.ts';
import type { Trace } from '../trace/trace.ts';
import { hasWords } from './texts/whole-words.ts';

export type FactKind = 'number' | 'date' | 'id' | 'name' | 'status';

/** Something that the answer says, and that a tool or the user said before. */
export interface AnswerFact {
  /** As the answer writes it. */
  text: string;
  kind: FactKind;
  /** Positions of the calls whose results say it. */
  calls: readonly number[];
  /** The user said it as well. */
  isFromUser: boolean;
  /** Every other passing answer of the case says it, too. */
  isShared: boolean;
}

interface Said {
  trace: Trace;
  answer: string;
  userTexts: readonly string[];
  systemTexts: readonly string[];
  siblings: readonly Trace[];
}

/** A value of a result: where the JSON has a number or a text, or the whole text. */
interface Leaf {
  call: number;
  value: string | number | boolean;
}

const MOST_LEAVES = 5000;
const LONGEST_RESULT = 200_000;

/** What an answer says that was said before. What only the instructions say is no fact. */
export function answerFacts(said: Said): AnswerFact[] {
  const leaves = said.trace.tool_calls_made.flatMap(({ result, is_error }, call) =>
    result === null || is_error ? [] : leavesOf(result, call),
  );
  const found = [...tellingFacts(said, leaves), ...smallNumbers(said, leaves), ...statuses(said, leaves)];
  const facts = [...found, ...names(said, leaves)];
  return [...new Map(facts.map((fact) => [fact.text, fact])).values()];
}

function leavesOf(result: string, call: number): Leaf[] {
  const text = result.slice(0, LONGEST_RESULT);
  const leaves: Leaf[] = [];
  const walk = (value: unknown): void => {
    if (leaves.length >= MOST_LEAVES) return;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      leaves.push({ call, value });
    else if (Array.isArray(value)) for (const part of value) walk(part);
    else if (isRecord(value)) for (const part of Object.values(value)) walk(part);
  };
  try {
    walk(JSON.parse(text));
  } catch {
    leaves.push({ call, value: text });
  }
  return leaves;
}

/** Ids, amounts and dates, which say something by themselves. */
function tellingFacts(said: Said, leaves: readonly Leaf[]): AnswerFact[] {
  const known = new Map<string, Set<number>>();
  for (const { call, value } of leaves) {
    const keys = typeof value === 'number' ? [`number ${value}`] : keysIn([String(value)]);
    for (const key of keys) known.set(key, (known.get(key) ?? new Set()).add(call));
  }
  const asked = keysIn(said.userTexts);
  return valuesIn(said.answer).flatMap(({ text, key, kind }): AnswerFact[] => {
    const calls = [...(known.get(key) ?? [])];
    const isFromUser = asked.has(key);
    if (calls.length === 0 && !isFromUser) return [];
    const isShared = said.siblings.every(({ final_content }) => keysIn([final_content ?? '']).has(key));
    return [{ text, kind: kind === 'address' ? 'id' : kind, calls, isFromUser, isShared }];
  });
}

/** Whole numbers below 100 of a result, if nothing else says them. */
function smallNumbers(said: Said, leaves: readonly Leaf[]): AnswerFact[] {
  const others = [...said.userTexts, ...said.systemTexts];
  const numbers = new Set(leaves.flatMap(({ value }) => (typeof value === 'number' ? [value] : [])));
  return [...numbers].flatMap((number): AnswerFact[] => {
    const text = String(number);
    if (!Number.isInteger(number) || number < 2 || knownValue(text) !== null) return [];
    if (!hasWords(said.answer, text) || others.some((other) => hasWords(other, text))) return [];
    return [factOf(said, { text, kind: 'number', calls: callsWith(leaves, number) })];
  });
}

/** Words that a field of a result has as its value, such as shipped. */
function statuses(said: Said, leaves: readonly Leaf[]): AnswerFact[] {
  const words = new Set(
    leaves.flatMap(({ value }) => (typeof value === 'string' && /^[a-z]{3,20}$/.test(value) ? [value] : [])),
  );
  return [...words]
    .filter((word) => hasWords(said.answer.toLowerCase(), word))
    .map((text) => factOf(said, { text, kind: 'status', calls: callsWith(leaves, text) }));
}

const NO_NAMES = new Set(
  'Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October November December The Your You Please Thank Thanks Hello Yes Sure Here There This That What When Where How Also And But For From Have Has Are Was Will Can Could Would Should Let English German French Spanish Order Customer Note System'.split(
    ' ',
  ),
);

/** Capitalized words inside of sentences that a result or the user has capitalized, too. */
function names(said: Said, leaves: readonly Leaf[]): AnswerFact[] {
  const inside = new Set(
    [...said.answer.matchAll(/(?<=[\p{L},;(] )\p{Lu}\p{Ll}{2,30}(?![\p{L}\p{N}-])/gu)].map(String),
  );
  const texts = leaves.flatMap(({ call, value }) => (typeof value === 'string' ? [{ call, value }] : []));
  return [...inside].flatMap((text): AnswerFact[] => {
    if (NO_NAMES.has(text)) return [];
    const calls = [...new Set(texts.filter(({ value }) => hasWords(value, text)).map(({ call }) => call))];
    const fact = factOf(said, { text, kind: 'name', calls });
    return calls.length > 0 || isNamedByUser(said, text) ? [fact] : [];
  });
}

/** A word at the begin of a sentence is capitalized anyway. */
function isNamedByUser({ userTexts }: Said, name: string): boolean {
  return userTexts.some((text) =>
    text.split(/[\s(]+/).some((word, at, all) => {
      const before = all[at - 1];
      return before !== undefined && !/[.!?:]$/.test(before) && word.replace(/[^\p{L}].*$/u, '') === name;
    }),
  );
}

function callsWith(leaves: readonly Leaf[], wanted: string | number): number[] {
  return [...new Set(leaves.filter(({ value }) => value === wanted).map(({ call }) => call))];
}

function factOf(said: Said, { text, kind, calls }: Pick<AnswerFact, 'text' | 'kind' | 'calls'>): AnswerFact {
  const isIn = (other: string) => hasWords(other.toLowerCase(), text.toLowerCase());
  return {
    text,
    kind,
    calls,
    isFromUser: said.userTexts.some(isIn),
    isShared: said.siblings.every(({ final_content }) => isIn(final_content ?? '')),
  };
}
