import { z } from 'zod';
import { checkSchema } from '../../scenario/diagnostics/schema-problems.ts';
import { type Criterion, criterionSchema } from '../../scenario/schema/criterion-schema.ts';
import { didYouMean, suggestion } from '../../text/did-you-mean.ts';
import { duplicateKey } from '../../text/duplicate-key.ts';
import { isRecord } from '../../text/is-record.ts';
import { SalvoError } from '../../text/salvo-error.ts';
import { aValue, kindOfValue, some } from '../../text/value-words.ts';
import { type Trace, traceSchema } from '../../trace/trace.ts';
import { traceFrom } from '../../trace/trace-from.ts';

/** One line of a label file: the labels of one trace. */
export interface LabelledItem {
  /** From 1. */
  line: number;
  trace: Trace;
  /** The rubric of this item, when it has its own. */
  criteria: Criterion[] | null;
  /** Scores from 0 to 1 by criterion. */
  labels: Record<string, number> | null;
  passed: boolean | null;
}

interface Problem {
  line: number;
  message: string;
}

const MOST_PROBLEMS = 20;

/**
 * The labels of a JSONL file, one object a line:
 * `{"trace": {...} | "response": "...", "task"?, "criteria"?, "labels": {"criterion": 0..1} and/or "passed": true}`.
 * Throws with every problem of the file at once, each with its line.
 */
export function readLabels(
  text: string,
  options: {
    /** Name of the file in messages. */
    file: string;
    /** The criteria that labels may name; any when missing. A line with its own criteria may name those instead. */
    criteria?: readonly string[] | undefined;
  },
): LabelledItem[] {
  const { file, criteria = null } = options;
  const items: LabelledItem[] = [];
  const problems: Problem[] = [];
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  for (const [index, content] of lines.entries()) {
    if (content.trim() === '') continue;
    const line = index + 1;
    const complain = (message: string) => problems.push({ line, message });
    const value = parseLine(content, { isLast: index === lines.length - 1, complain });
    const label = value === undefined ? null : readLabel({ json: content, value }, criteria, complain);
    if (label) items.push({ line, ...label });
  }
  if (problems.length > 0) throw labelError(file, problems);
  if (items.length === 0) {
    throw new SalvoError('LABELS_EMPTY', `${file} holds no labels. Write one JSON object a line.`, {
      location: { file },
    });
  }
  return items;
}

/** Undefined when it is not JSON. */
function parseLine(content: string, { isLast, complain }: { isLast: boolean; complain: Complain }): unknown {
  try {
    return JSON.parse(content);
  } catch {
    const start = content.trim();
    if (start === '[' || start === '{') complain('is only the beginning of JSON: write every object on one line');
    // A complete file ends with a line break, so a last line without one may have been cut off.
    else if (isLast && start.startsWith('{') && !start.endsWith('}')) complain('breaks off: the file is not complete');
    else complain(`is not JSON: ${quoted(start)}`);
    return undefined;
  }
}

function labelError(file: string, problems: readonly Problem[]): SalvoError {
  const shown = problems.slice(0, MOST_PROBLEMS).map(({ line, message }) => `${file}:${line}: ${message}`);
  const rest = problems.length - shown.length;
  if (rest > 0) shown.push(`and ${rest} more ${rest === 1 ? 'problem' : 'problems'}`);
  const [first] = problems;
  return new SalvoError('LABELS_INVALID', shown.join('\n'), {
    location: first ? { file, line: first.line } : { file },
  });
}

const KEYS = ['trace', 'response', 'task', 'criteria', 'labels', 'passed'];
const criteriaSchema = z.array(criterionSchema).min(1);

/** Called with each problem of a line. */
type Complain = (message: string) => void;

/** `known` are the criteria that labels may name; null for any. */
function readLabel(
  { json, value }: { json: string; value: unknown },
  known: readonly string[] | null,
  complain: Complain,
): Omit<LabelledItem, 'line'> | null {
  if (!isRecord(value)) {
    complain(`should be a JSON object such as {"response": "...", "passed": true}, but is ${kindOfValue(value)}`);
    return null;
  }
  const twice = duplicateKey(json, ['labels']);
  if (twice !== undefined) complain(`${quoted(twice)} is there twice: remove one of them`);
  complainOfMisspeltKeys(value, complain);
  const criteria = readCriteria(field(value, 'criteria'), complain);
  const label = {
    trace: readTrace(value, complain),
    criteria,
    labels: readScores(field(value, 'labels'), criteria?.map(({ name }) => name) ?? known, complain),
    passed: readPassed(field(value, 'passed'), complain),
  };
  if (isMissing(field(value, 'labels')) && isMissing(field(value, 'passed'))) {
    complain('has neither "labels" nor "passed"');
  }
  return label.trace === null ? null : { ...label, trace: label.trace };
}

/** Further keys are allowed as notes, but a misspelt key would be ignored silently. */
function complainOfMisspeltKeys(value: Record<string, unknown>, complain: Complain): void {
  const unused = KEYS.filter((key) => !Object.hasOwn(value, key));
  for (const key of Object.keys(value).slice(0, 100)) {
    if (KEYS.includes(key) || KEYS.some((each) => key.startsWith(`${each}_`))) continue;
    const meant = didYouMean(key, unused);
    if (meant !== undefined) complain(`there is no ${quoted(key)}: did you mean "${meant}"?`);
  }
}

function readTrace(value: Record<string, unknown>, complain: Complain): Trace | null {
  const [trace, response, task] = [field(value, 'trace'), field(value, 'response'), field(value, 'task')];
  if (!isMissing(task) && typeof task !== 'string') {
    complain(`"task" should be a text, but is ${kindOfValue(task)}`);
    return null;
  }
  if (!isMissing(trace) && !isMissing(response)) {
    complain('has both "trace" and "response": give one of them');
    return null;
  }
  if (!isMissing(trace)) {
    const { data, problems } = checkSchema<Trace>(traceSchema, trace);
    for (const problem of problems.slice(0, 3)) complain(`"trace${dotted(problem.path)}": ${problem.message}`);
    return data && traceWithTask(data, task);
  }
  if (typeof response === 'string') return traceFrom({ response, task });
  complain(
    isMissing(response)
      ? 'has neither "trace" nor "response"'
      : `"response" should be a text, but is ${kindOfValue(response)}`,
  );
  return null;
}

/** The trace, beginning with the task unless it has a message of a user already. */
function traceWithTask(trace: Trace, task: string | null | undefined): Trace {
  if (!task || trace.messages.some(({ role }) => role === 'user')) return trace;
  return { ...trace, messages: [{ role: 'user', content: task }, ...trace.messages] };
}

function readCriteria(value: unknown, complain: Complain): Criterion[] | null {
  if (isMissing(value)) return null;
  const { data, problems } = checkSchema<Criterion[]>(criteriaSchema, value);
  for (const problem of problems.slice(0, 3)) complain(`"criteria${dotted(problem.path)}": ${problem.message}`);
  if (!data) return null;
  const names = data.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) complain(`two criteria are called ${quoted(twice)}`);
  if (data.every(({ weight }) => weight === 0)) complain('the weights of all criteria are 0');
  return data;
}

function readScores(
  value: unknown,
  known: readonly string[] | null,
  complain: Complain,
): Record<string, number> | null {
  if (isMissing(value)) return null;
  if (!isRecord(value)) {
    complain(`"labels" should be a map of criteria and scores, but is ${kindOfValue(value)}`);
    return null;
  }
  const scores: [string, number][] = [];
  for (const [name, score] of Object.entries(value)) {
    if (known && !known.includes(name)) {
      const hint = suggestion(name, known, `the criteria are ${some(known.map(quoted))}`);
      complain(`there is no criterion ${quoted(name)}: ${hint}`);
    } else if (typeof score === 'number' && score >= 0 && score <= 1) {
      scores.push([name, score]);
    } else {
      const yesOrNo = typeof score === 'boolean' ? ` (write ${score ? 1 : 0})` : '';
      complain(`the score of ${quoted(name)} should be a number from 0 to 1, but is ${aValue(score)}${yesOrNo}`);
    }
  }
  if (Object.keys(value).length === 0) complain('"labels" is empty');
  // Not by assignment: a criterion may be called "__proto__".
  return Object.fromEntries(scores);
}

function readPassed(value: unknown, complain: Complain): boolean | null {
  if (isMissing(value) || typeof value === 'boolean') return value ?? null;
  complain(`"passed" should be true or false, but is ${aValue(value)}`);
  return null;
}

function field(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** A table converted to JSON has null where a cell is empty. */
function isMissing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function dotted(path: readonly (string | number)[]): string {
  return path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
