import { pathText } from '../../scenario/diagnostics/located-value.ts';
import { checkSchema } from '../../scenario/diagnostics/schema-problems.ts';
import { type Criterion, criteriaSchema } from '../../scenario/schema/criterion-schema.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { didYouMean, suggestion } from '../../text/words/did-you-mean.ts';
import { aValue, kindOfValue, some } from '../../text/words/value-words.ts';
import { type Trace, traceSchema } from '../../trace/trace.ts';
import { traceFrom } from '../../trace/trace-from.ts';
import { type Drawn, drawnSchema } from './human-label.ts';
import { type Complain, field, isMissing, quoted, readLabelLines, readText } from './label-lines.ts';
import { isRecordedVerdict } from './recorded-verdicts.ts';

/** One line of a label file: the labels of one trace. */
export interface LabelledItem {
  /** From 1. */
  line: number;
  trace: Trace;
  /** The name of the scenario that the answer is from. */
  scenario: string | null;
  /** The case of that scenario. */
  case: string | null;
  /** The rubric of this item, when it has its own. */
  criteria: Criterion[] | null;
  /** Scores from 0 to 1 by criterion. */
  labels: Record<string, number> | null;
  passed: boolean | null;
  /** How it was drawn by `salvo export --to-label`. */
  drawn?: Drawn | undefined;
}

/**
 * The labels of a JSONL file, one object a line:
 * `{"trace": {...} | "response": "...", "task"?, "scenario"?, "case"?, "criteria"?, "labels": {"criterion": 0..1}
 * and/or "passed": true}`. Throws with the problems of the whole file at once, each with its line.
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
  const items = readLabelLines(text, {
    file,
    example: '{"response": "...", "passed": true}',
    maps: ['labels'],
    read: (value, complain) => readLabel(value, criteria, complain),
  });
  const labelled = items.filter(({ labels, passed }) => labels !== null || passed !== null);
  if (labelled.length > 0) return labelled;
  const problem = `no line of ${file} has a label yet. Set "passed" to true or false, from the first line on.`;
  throw new SalvoError('LABELS_MISSING', problem, { location: { file } });
}

const KEYS = ['trace', 'response', 'task', 'scenario', 'case', 'criteria', 'labels', 'passed', 'drawn'];

/** `known` are the criteria that labels may name; null for any. */
function readLabel(
  value: Record<string, unknown>,
  known: readonly string[] | null,
  complain: Complain,
): Omit<LabelledItem, 'line'> | null {
  if (isRecordedVerdict(value)) {
    complain('is the verdict of a judge, and the first line is not: put such lines into a file of their own');
    return null;
  }
  complainOfMisspeltKeys(value, complain);
  const criteria = readCriteria(field(value, 'criteria'), complain);
  const label = {
    trace: readTrace(value, complain),
    scenario: readText(value, 'scenario', complain),
    case: readText(value, 'case', complain),
    criteria,
    labels: readScores(field(value, 'labels'), criteria?.map(({ name }) => name) ?? known, complain),
    passed: readPassed(field(value, 'passed'), complain),
    drawn: readDrawn(field(value, 'drawn'), complain),
  };
  if (!isMissing(field(value, 'labels')) || !isMissing(field(value, 'passed'))) {
    return label.trace === null ? null : { ...label, trace: label.trace };
  }
  // An imported conversation that was exported says how its file judged it.
  const passed = label.trace?.imported?.given?.passed ?? null;
  // Of a draw, people label as many as they like.
  if (passed === null && label.drawn === undefined) complain('has neither "labels" nor "passed"');
  return label.trace === null ? null : { ...label, trace: label.trace, passed };
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
  const [trace, response] = [field(value, 'trace'), field(value, 'response')];
  const task = readText(value, 'task', complain);
  if (!isMissing(trace) && !isMissing(response)) {
    complain('has both "trace" and "response": give one of them');
    return null;
  }
  if (!isMissing(trace)) {
    const { data, problems } = checkSchema<Trace>(traceSchema, trace);
    for (const problem of problems.slice(0, 3))
      complain(`"${pathText(['trace', ...problem.path])}": ${problem.message}`);
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
function traceWithTask(trace: Trace, task: string | null): Trace {
  if (!task || trace.messages.some(({ role }) => role === 'user')) return trace;
  return { ...trace, messages: [{ role: 'user', content: task }, ...trace.messages] };
}

function readCriteria(value: unknown, complain: Complain): Criterion[] | null {
  if (isMissing(value)) return null;
  const { data, problems } = checkSchema<Criterion[]>(criteriaSchema(), value);
  for (const problem of problems.slice(0, 3))
    complain(`"${pathText(['criteria', ...problem.path])}": ${problem.message}`);
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

function readDrawn(value: unknown, complain: Complain): Drawn | undefined {
  if (isMissing(value)) return undefined;
  const { data, problems } = checkSchema<Drawn>(drawnSchema, value);
  for (const problem of problems.slice(0, 3)) complain(`"${pathText(['drawn', ...problem.path])}": ${problem.message}`);
  return data ?? undefined;
}

function readPassed(value: unknown, complain: Complain): boolean | null {
  if (isMissing(value) || typeof value === 'boolean') return value ?? null;
  complain(`"passed" should be true or false, but is ${aValue(value)}`);
  return null;
}
