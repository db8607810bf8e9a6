import { namedCases } from '../evaluators/assertion-ids.ts';
import type { EvalResult } from '../evaluators/eval-result.ts';
import type { EvaluationContext, ReplayedState } from '../evaluators/evaluator.ts';
import type { Budget } from '../models/budget/budget.ts';
import { pairedCases } from '../run/record/paired-cases.ts';
import { recordedScenarios } from '../run/record/recorded-scenarios.ts';
import type { RunRecord, RunRecorder, TrialsOfRun } from '../run/record/run-record.ts';
import { withoutTask } from '../run/reevaluate/reevaluate-scenario.ts';
import { scenarioCases } from '../scenario/cases/scenario-cases.ts';
import type { DataRow } from '../scenario/cases/template.ts';
import type { LoadedScenario } from '../scenario/load-scenario.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import type { OperatorName } from '../scenario/schema/shared-fields.ts';
import { canonicalJson, contentHash } from '../text/json/canonical-json.ts';
import { isMetadataOnly } from '../trace/not-recorded.ts';
import type { Trace } from '../trace/trace.ts';
import { toolsByCase } from '../trial/tools/scenario-tools.ts';
import { JudgedCase, type JudgeUse } from './judged-case.ts';
import { type OtherAnswer, type Subject, subjectOf } from './subject.ts';

/** A stored trace that passed, and that passes the assertions of today. */
export interface Original {
  /** The position of its scenario in the run. */
  scenario: number;
  name: string;
  file: string;
  case: string | null;
  /** Of its case; null for a scenario without data. */
  row: DataRow | null;
  trialNumber: number;
  trace: Trace;
  replayed: ReplayedState | undefined;
  canBePlayed: boolean;
  judged: JudgedCase;
  subject: Subject;
  ignored: ReadonlySet<OperatorName>;
}

export interface OriginalsOptions {
  source: RunRecord;
  only?: TrialsOfRun | undefined;
  scenarioOf: (index: number) => LoadedScenario | null;
  recorder: Pick<RunRecorder, 'trials' | 'getTrace' | 'getRun'>;
  project: Project;
  judges: JudgeUse;
  services: Pick<EvaluationContext, 'models' | 'voteCache'>;
  /** For judges, which are asked about originals that they have not judged yet. */
  budget: Budget;
  signal?: AbortSignal | undefined;
}

/** What became of the stored trials. */
export interface TraceCounts {
  stored: number;
  passed: number;
  /** Passed, and said and did what another passing trial of the case did; or more than a few of one case. */
  alike: number;
  /** Passed then, and does not pass the assertions of today. */
  fails_now: number;
  /** Passed then, and cannot be scored now. */
  unscored_now: number;
  without_text: number;
  used: number;
}

/** More traces of one case say little more, and would have to be kept in memory. */
const MOST_OF_CASE = 5;

/** The passing traces of a run, each kind of trace once. */
export async function collectOriginals(
  options: OriginalsOptions,
): Promise<{ originals: Original[]; counts: TraceCounts; judgements: EvalResult[] }> {
  const counts: TraceCounts = {
    stored: 0,
    passed: 0,
    alike: 0,
    fails_now: 0,
    unscored_now: 0,
    without_text: 0,
    used: 0,
  };
  const recorded = await recordedScenarios(options.source, options.recorder);
  const found: Found[] = [];
  const judgements: EvalResult[] = [];
  for (const [index] of options.source.scenarios.entries()) {
    const loaded = options.scenarioOf(index);
    const isChosen = options.only === undefined || options.only.scenario_index === index;
    if (loaded && isChosen) found.push(...(await ofScenario({ index, loaded, recorded, counts, judgements }, options)));
  }
  counts.used = found.length;
  return { originals: withSubjects(found), counts, judgements };
}

type Found = Omit<Original, 'subject'> & { recordedScenario: Scenario | undefined };

interface ScenarioOfRun {
  index: number;
  loaded: LoadedScenario;
  recorded: ReadonlyMap<string, Scenario>;
  counts: TraceCounts;
  /** What judges say about the originals. */
  judgements: EvalResult[];
}

async function ofScenario(
  { index, loaded, recorded, counts, judgements }: ScenarioOfRun,
  options: OriginalsOptions,
): Promise<Found[]> {
  const then = options.source.scenarios[index];
  if (!then) return [];
  const cases = namedCases(loaded.scenario);
  const caseNow = pairedCases(then.scenario, loaded.scenario);
  const toolsOf = await toolsByCase(loaded);
  const { ignore = {} } = loaded.scenario.mutate ?? {};
  const ignored = new Set(Object.keys(ignore).filter((name): name is OperatorName => ignore[name] !== undefined));
  const judgedCases = new Map<number, JudgedCase>();
  const seen = new Map<number, Set<string>>();
  const found: Found[] = [];
  for await (const trial of options.recorder.trials(options.source.run_id, { scenarioIndex: index })) {
    const { only } = options;
    if (only?.case_index !== undefined && only.case_index !== trial.case_index) continue;
    if (only?.trial_number !== undefined && only.trial_number !== trial.trial_number) continue;
    counts.stored += 1;
    const caseIndex = caseNow(trial.case_index);
    if (trial.result?.status !== 'passed' || caseIndex === -1 || trial.trace_id === null) continue;
    counts.passed += 1;
    const kinds = seen.get(caseIndex) ?? new Set();
    seen.set(caseIndex, kinds);
    const trace = kinds.size < MOST_OF_CASE ? await options.recorder.getTrace(trial.trace_id) : null;
    if (trace && isMetadataOnly(trace)) {
      counts.without_text += 1;
      continue;
    }
    const kind = trace ? kindOf(trace) : '';
    if (!trace || kinds.has(kind)) {
      counts.alike += 1;
      continue;
    }
    kinds.add(kind);
    const recordedScenario = trace.imported ? loaded.scenario : recorded.get(trace.scenario_hash);
    const name = cases.fieldsOf(caseIndex)?.name ?? null;
    const recordedCase =
      recordedScenario && scenarioCases(recordedScenario).scenarioOf(trace.imported ? caseIndex : trial.case_index);
    const judged =
      judgedCases.get(caseIndex) ??
      new JudgedCase({
        scenario: cases.scenarioOf(caseIndex),
        tools: toolsOf(cases.scenarioOf(caseIndex)),
        judges: options.judges,
        context: {
          ...options.services,
          project: options.project,
          scenarioFile: loaded.file,
          recordedScenario: trace.imported ? withoutTask(cases.scenarioOf(caseIndex)) : recordedCase,
          trialNumber: trial.trial_number,
          signal: options.signal,
          checks: loaded.functions?.checks,
          trialContext: {
            ...{ runId: options.source.run_id, scenario: loaded.scenario.name, trialNumber: trial.trial_number },
            ...{ case: name ?? '', row: cases.rowOf(caseIndex) ?? {} },
          },
        },
      });
    judgedCases.set(caseIndex, judged);
    const known = await judged.replay(trace);
    const { trial_number: trialNumber, trace_id: traceId } = trial;
    const problem =
      (await problemOf(judged, known)) ??
      (await problemOfJudges(judged, { ...known, index, trialNumber, traceId, judgements }, options));
    if (problem !== null) {
      counts[problem] += 1;
      continue;
    }
    found.push({
      ...{ scenario: index, name: loaded.scenario.name, file: loaded.relativeFile, case: name },
      row: cases.rowOf(caseIndex),
      ...{ trialNumber: trial.trial_number, ...known, judged, ignored, recordedScenario: recordedCase },
    });
  }
  return found;
}

/** The same with the judges, if they are asked. Their votes of the run are cached. */
async function problemOfJudges(
  judged: JudgedCase,
  {
    trace,
    replayed,
    index,
    trialNumber,
    traceId,
    judgements,
  }: Pick<Original, 'trace' | 'replayed' | 'trialNumber'> & {
    index: number;
    traceId: string;
    judgements: EvalResult[];
  },
  { judges, budget }: Pick<OriginalsOptions, 'judges' | 'budget'>,
): Promise<'fails_now' | 'unscored_now' | null> {
  if (judges === 'left_out' || judged.scenario.assertions.every(({ type }) => type !== 'judge')) return null;
  const reservation = await budget.reserve(index);
  if (!reservation) return 'unscored_now';
  try {
    const { status, results } = await judged.judge(trace, { replayed, traceId, trialNumber, budget: reservation });
    judgements.push(...results);
    return status === 'passed' ? null : status === 'unscored' ? 'unscored_now' : 'fails_now';
  } finally {
    reservation.release();
  }
}

/** Why a trace that passed is of no use now; null if it passes. Judges count as passed, as they did then. */
async function problemOf(
  judged: JudgedCase,
  { trace, replayed }: Pick<Original, 'trace' | 'replayed'>,
): Promise<'fails_now' | 'unscored_now' | null> {
  const { status, results } = await judged.withoutJudges().judge(trace, { replayed, traceId: null });
  if (status === 'passed') return null;
  if (status !== 'unscored') return 'fails_now';
  const isOpen = results.some(
    (result) =>
      result.status === 'unscored' && result.assertion_type !== 'judge' && (result.weight > 0 || result.required),
  );
  const isEmpty = results.length === 0;
  return isOpen || isEmpty ? 'unscored_now' : null;
}

/** The same for two trials in which the agent said and did the same. */
function kindOf({ messages, final_content, tool_calls_made }: Trace): string {
  const said = messages.map(({ role, content }) => [role, content]);
  const called = tool_calls_made.map(({ name, arguments: args, result }) => [name, canonicalJson(args), result]);
  return contentHash([final_content, said, called]);
}

function withSubjects(found: readonly Found[]): Original[] {
  const placeOf = (each: Found) => `${each.scenario}/${each.case ?? ''}`;
  const byCase = Map.groupBy(found, placeOf);
  const answers = [...byCase.values()].map((same): (OtherAnswer & { of: Found }) | null => {
    const [first] = same;
    if (!first) return null;
    const answer = first.trace.final_content ?? '';
    const isAgreed = same.every(({ trace }) => (trace.final_content ?? '').trim() === answer.trim());
    return { answer, isAgreed, sameScenario: false, of: first };
  });
  return found.map((original) => {
    const others = answers.flatMap((other) =>
      other && placeOf(other.of) !== placeOf(original)
        ? [{ answer: other.answer, isAgreed: other.isAgreed, sameScenario: other.of.scenario === original.scenario }]
        : [],
    );
    const siblings = (byCase.get(placeOf(original)) ?? [])
      .filter((each) => each !== original)
      .map(({ trace }) => trace);
    const { recordedScenario, ...rest } = original;
    const { scenario } = original.judged;
    const subject = subjectOf({ trace: original.trace, scenario, siblings, otherAnswers: others, recordedScenario });
    return { ...rest, subject };
  });
}
