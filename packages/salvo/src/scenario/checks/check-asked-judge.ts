import { type AdapterNames, adapterTypeOf } from '../../adapters/adapter-name.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { readShare } from '../../text/share.ts';
import { aValue } from '../../text/words/value-words.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Report } from '../diagnostics/problem.ts';

// What every judge has to fulfil, wherever it is named: in an assertion, a rubric, salvo.yaml, or a file of judges.

/** An adapter whose provider has no decision models would fail every call. */
export function checkDecides(
  report: Report,
  { adapter, mode, names, path }: { adapter: unknown; mode: unknown; names: AdapterNames; path: Path },
): void {
  if (mode !== 'decide' || typeof adapter !== 'string' || adapterTypeOf(adapter, names) !== 'anthropic') return;
  report({
    code: 'no-decision-models',
    message: `"mode: decide" needs decision models, and the adapter "${adapter}" has none`,
    hint: 'remove mode, or choose an adapter of type openai, ai-sdk or llama',
    path,
  });
}

/** A decision model would answer the same each time. */
export function warnOfRepeatedDecisions(report: Report, k: unknown, path: Path): void {
  if (typeof k !== 'number' || k <= 1) return;
  report({
    severity: 'warning',
    code: 'needless-votes',
    message: `a decision model votes once, not ${k} times: it would answer the same again`,
    hint: 'remove k; in a panel with chat models, its vote counts like k',
    path,
  });
}

/** A tie is not a majority. */
export function warnOfTies(report: Report, votes: unknown, path: Path): void {
  if (typeof votes !== 'number' || votes <= 0 || votes % 2 !== 0) return;
  report({
    severity: 'warning',
    code: 'even-votes',
    message: `${votes} votes can tie, and a tie fails`,
    hint: 'an odd number of votes always has a majority',
    path,
  });
}

const OF_ONE_JUDGE = ['judge_model', 'mode', 'k', 'judges'] as const;

/** Whether an assertion says which judge is asked, so that the cascade of its rubric or of the project is not. */
export function namesJudge(assertion: Record<string, unknown>): boolean {
  return [...OF_ONE_JUDGE, 'judge_adapter', 'cascade'].some((key) => assertion[key] !== undefined);
}

/** Checks the cascade of an assertion. Its adapters are checked with those of other judges. */
export function checkCascade(
  report: Report,
  { holder, names, path }: { holder: Record<string, unknown>; names: AdapterNames; path: Path },
): void {
  for (const key of OF_ONE_JUDGE.filter((each) => holder[each] !== undefined)) {
    report({
      code: 'conflicting-keys',
      message: `"${key}" and "cascade" cannot be used together: every stage of a cascade says who judges`,
      hint: key === 'judges' ? 'remove one of them' : 'write it into the stages',
      path: [...path, key],
      at: 'key',
    });
  }
  checkStages(report, { stages: holder.cascade, adapter: holder.judge_adapter, names, path: [...path, 'cascade'] });
}

interface Stages {
  stages: unknown;
  /** The adapter of stages that name none. */
  adapter: unknown;
  names: AdapterNames;
  path: Path;
}

/** Checks the stages of a cascade, wherever it is written. What is not a list of maps is left to the schema. */
export function checkStages(report: Report, { stages, adapter, names, path }: Stages): void {
  if (!Array.isArray(stages)) return;
  if (stages.length < 2) {
    report({
      code: 'invalid-value',
      message: `a cascade has at least two stages, not ${stages.length}`,
      hint: 'such as [{model: cheap, mode: decide, sure: 0.9}, {model: strong, k: 5}]',
      path,
    });
  }
  const seen = new Map<string, number>();
  for (const [index, stage] of stages.entries()) {
    if (!isRecord(stage)) continue;
    const place = { stage, number: index + 1, isLast: index === stages.length - 1, path: [...path, index] };
    if (stage.people !== undefined) {
      checkPeople(report, place);
      continue;
    }
    checkStage(report, place);
    checkDecides(report, {
      ...{ adapter: stage.adapter ?? adapter, mode: stage.mode, names },
      path: [...place.path, ...(stage.adapter === undefined ? [] : ['adapter'])],
    });
    if (typeof stage.model !== 'string') continue;
    const same = JSON.stringify([stage.adapter ?? adapter, stage.model, stage.mode ?? 'chat']);
    const before = seen.get(same);
    seen.set(same, before ?? index + 1);
    if (before === undefined) continue;
    report({
      code: 'invalid-value',
      message: `stage ${index + 1} is the same judge as stage ${before}: it would be asked the same again`,
      hint: 'give one stage more votes (k), or ask another judge',
      path: [...place.path, 'model'],
    });
  }
}

interface StageInPlace {
  stage: Record<string, unknown>;
  /** From 1. */
  number: number;
  isLast: boolean;
  path: Path;
}

function checkPeople(report: Report, { stage, isLast, path }: StageInPlace): void {
  const others = Object.keys(stage).filter((key) => key !== 'people' && STAGE_KEYS.has(key));
  for (const key of others) {
    const message = `"${key}" and "people" cannot be used together: a stage is a judge, or people`;
    report({ code: 'conflicting-keys', message, path: [...path, key], at: 'key' });
  }
  if (isLast) return;
  report({
    code: 'invalid-value',
    message: 'people are the last stage: no judge is asked after them',
    hint: 'move {people: true} to the end',
    path,
  });
}

const STAGE_KEYS: ReadonlySet<string> = new Set(['adapter', 'model', 'mode', 'k', 'sure']);

function checkStage(report: Report, { stage, number, isLast, path }: StageInPlace): void {
  const { model, mode, k, sure } = stage;
  if (model === undefined) {
    const message = `stage ${number} of the cascade needs a "model"`;
    report({ code: 'missing-key', message, hint: 'or {people: true}', path, missing: ['model'] });
  }
  const share = readShare(sure);
  if (share !== null && (share <= 0.5 || share > 1)) {
    report({
      code: 'invalid-value',
      message: `"sure" should be above 0.5, but is ${aValue(sure)}: of two verdicts one always has a probability of at least 0.5`,
      hint: 'such as 0.9; `salvo calibrate LABELS --cascade` chooses it from labels',
      path: [...path, 'sure'],
    });
  }
  if (sure === undefined && !isLast) {
    report({
      code: 'missing-key',
      message: `stage ${number} has no "sure", so it decides everything, and no later stage is asked`,
      hint: 'such as sure: 0.9; `salvo calibrate LABELS --cascade` chooses it from labels',
      path,
      missing: ['sure'],
    });
  }
  if (mode === 'decide') warnOfRepeatedDecisions(report, k, [...path, 'k']);
  else if (sure === undefined) warnOfTies(report, k, [...path, 'k']);
  else if (k === 1) {
    report({
      code: 'invalid-value',
      message: 'a single vote of a chat model does not say how sure it is',
      hint: 'give it at least 3 votes, or use a decision model: mode: decide',
      path: [...path, 'k'],
    });
  }
}

/** Checks the cascade of a rubric file, which several folders may use. */
export function checkRubricCascade(report: Report, { cascade, mode }: Record<string, unknown>): void {
  if (cascade === undefined) return;
  if (mode !== undefined) {
    const message = '"mode" and "cascade" cannot be used together: every stage of a cascade says its mode';
    report({ code: 'conflicting-keys', message, path: ['mode'], at: 'key' });
  }
  const names = { named: new Map(), registered: new Set<string>() };
  checkStages(report, { stages: cascade, adapter: undefined, names, path: ['cascade'] });
  for (const [index, stage] of (Array.isArray(cascade) ? cascade : []).entries()) {
    const adapter = isRecord(stage) ? stage.adapter : undefined;
    if (typeof adapter !== 'string' || !/^[./]|^[A-Za-z]:\\/.test(adapter)) continue;
    report({
      code: 'invalid-value',
      message: `a rubric cannot name the adapter ${adapter} by its path`,
      hint: 'give it a name under adapters: in salvo.yaml',
      path: ['cascade', index, 'adapter'],
    });
  }
}
