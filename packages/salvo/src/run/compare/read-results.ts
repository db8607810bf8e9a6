import type { z } from 'zod';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { newerVersion } from '../../text/errors/unreadable-error.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { jsonSyntaxError } from '../../text/json/json-syntax-error.ts';
import { bracketsFrom, MAX_NESTING } from '../../text/json/nesting.ts';
import { sourceText } from '../../text/source-text.ts';
import { RUN_DOCUMENT_VERSION, runDocumentSchema } from '../record/run-document.ts';
import { BASELINE_VERSION, type Baseline, baselineSchema } from './baseline.ts';
import { baselineOfDocument } from './baseline-of-run.ts';

/**
 * Results that were written to a file: a baseline, or what `salvo run --json` printed. Throws a `SalvoError` that says
 * what is wrong and where. `name` is how the user calls the file.
 */
export function readResults(text: string, name: string): Baseline {
  const value = readJson(text.replace(/^\uFEFF/, ''), name);
  if (isRecord(value) && 'salvo_baseline' in value) {
    const version = value.salvo_baseline;
    if (typeof version === 'number' && version > BASELINE_VERSION) {
      throw unreadable(name, `it was ${newerVersion(version, BASELINE_VERSION)}`);
    }
    return checked(baselineSchema, completeBaseline(value), name);
  }
  if (isRecord(value) && 'scenarios' in value && 'run_id' in value) {
    if (typeof value.version === 'number' && value.version > RUN_DOCUMENT_VERSION) {
      throw unreadable(name, `it was ${newerVersion(value.version, RUN_DOCUMENT_VERSION)}`);
    }
    return baselineOfDocument(checked(runDocumentSchema, value, name));
  }
  throw unreadable(name, 'it is neither a baseline (`salvo baseline set`) nor the output of `salvo run --json`');
}

/** A JSON document that another run wrote. Throws a `SalvoError` that says what is wrong and where. */
export function readDocument<Schema extends z.ZodType>(schema: Schema, text: string, name: string): z.infer<Schema> {
  return checked(schema, readJson(text.replace(/^\uFEFF/, ''), name), name);
}

function readJson(text: string, name: string): unknown {
  const start = text.search(/\S/);
  if (start === -1) throw unreadable(name, 'it is empty');
  // The engine takes very long on deep nesting.
  if (bracketsFrom(text, start).deepest > MAX_NESTING) throw unreadable(name, 'it is nested too deeply');
  try {
    return JSON.parse(text);
  } catch (cause) {
    const error = jsonSyntaxError(text);
    const { line, column } = sourceText({ file: name, text }).place(error?.offset ?? 0);
    const message = `${name}:${line}:${column} is not valid JSON: ${error?.message ?? 'it cannot be read'}.`;
    throw new SalvoError('RESULTS_UNREADABLE', message, { cause, location: { file: name, line, column } });
  }
}

const MOST_PROBLEMS = 5;

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, name: string): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues
    .slice(0, MOST_PROBLEMS)
    .map(({ path, message }) => `\n  ${path.map(String).join('.')}: ${message}`);
  throw unreadable(name, `values of it are wrong:${problems.join('')}`);
}

function unreadable(name: string, why: string): SalvoError {
  return new SalvoError(
    'RESULTS_UNREADABLE',
    `${name} cannot be compared with: ${why}${why.includes('\n') ? '' : '.'}`,
    {
      location: { file: name },
    },
  );
}

/**
 * A baseline of an earlier Salvo in the form of today. A baseline is committed, so every form that was ever written is
 * read; `test/store/versions/baselines/` has a file of each.
 */
function completeBaseline(baseline: Record<string, unknown>): unknown {
  const { scenarios } = baseline;
  return Array.isArray(scenarios) ? { ...baseline, scenarios: scenarios.map(completeScenario) } : baseline;
}

function completeScenario(scenario: unknown): unknown {
  if (!isRecord(scenario) || !isRecord(scenario.yardstick) || !isRecord(scenario.yardstick.judges)) return scenario;
  const judges = Object.entries(scenario.yardstick.judges).map(([id, judge]) => [id, completeJudge(judge)]);
  return { ...scenario, yardstick: { ...scenario.yardstick, judges: Object.fromEntries(judges) } };
}

/** A judge was one text at first: its model, its adapter and, in a scenario without data, its hash. */
function completeJudge(judge: unknown): unknown {
  if (typeof judge !== 'string') return judge;
  const [model, ...words] = judge.split(' ');
  const hash = /^[0-9a-f]{12}$/.test(words.at(-1) ?? '') ? words.pop() : null;
  return { model, adapter: words.join(' '), hash };
}
