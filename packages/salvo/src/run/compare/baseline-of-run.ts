import { posix } from 'node:path';
import { isHeldOut } from '../../scenario/cases/case-fields.ts';
import { mean } from '../../stats/mean.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { plannedCases, quarantinedAt } from '../record/planned-cases.ts';
import type { RunDocument } from '../record/run-document.ts';
import type { RunRecord, RunScenario, StoredTrial } from '../record/run-record.ts';
import { createIdenticalAnswers } from '../tally/scenario-tally.ts';
import type { Baseline, BaselineCase, BaselineScenario, Measurement } from './baseline.ts';
import { checkCodeKey, judgesOf, shortHash, yardstickOf } from './yardstick.ts';

/**
 * The results of a stored run, without those in quarantine. Its trials come in order of scenario, case and number. With
 * `withPlanned`, cases without a trial so far are there, too.
 */
export async function baselineOfRun(
  run: RunRecord,
  trials: AsyncIterable<Pick<StoredTrial, 'scenario_index' | 'result'>>,
  { commit = null, withPlanned = false }: { commit?: string | null; withPlanned?: boolean } = {},
): Promise<Baseline> {
  const isQuarantined = run.scenarios.map(({ scenario }) => quarantinedAt(scenario, run.created_at));
  const cases = run.scenarios.map(({ scenario }, position) => {
    const found = new Map<number, CaseResults>();
    if (!withPlanned) return found;
    const planned = plannedCases(scenario, { options: run.options, chosen: run.options.cases?.[position] ?? null });
    for (const { index, name, skip } of planned) {
      if (skip === null && !isQuarantined[position]?.(index)) found.set(index, { name, trials: [] });
    }
    return found;
  });
  for await (const { scenario_index, result } of trials) {
    const ofScenario = cases[scenario_index];
    if (!ofScenario || !result || isQuarantined[scenario_index]?.(result.case_index)) continue;
    addTrial(ofScenario, result);
  }
  return {
    salvo_baseline: 1,
    salvo_version: run.salvo_version,
    run_id: run.run_id,
    created_at: run.created_at,
    commit,
    ...(run.options.agent_files && { agent_files: run.options.agent_files }),
    scenarios: run.scenarios
      .map((scenario, index) => ({
        ...scenarioHead(scenario, run),
        ...measurementsOf(cases[index] ?? new Map()),
        cases: casesOf(cases[index] ?? new Map(), (caseIndex) => rowOf(scenario, caseIndex)),
      }))
      .filter((scenario) => scenario.cases.length > 0)
      .toSorted(byPlace),
  };
}

/** By what the trials of a scenario are measured. */
export function scenarioHead(
  { name, file, adapter, model, scenario, summary }: RunScenario,
  { options }: Pick<RunRecord, 'options'>,
): Omit<BaselineScenario, 'cases' | 'cost_usd' | 'latency_seconds'> {
  const seed = options.seed ?? scenario.seed ?? null;
  const files = options.assertion_files ?? {};
  const code = {
    ofFile: (module: string) => files[posix.join(posix.dirname(file), module)],
    ofChecks: files[checkCodeKey({ file, name })],
  };
  const prompt = scenario.prompt_of && { prompt_of: scenario.prompt_of };
  return { name, file, adapter, model, ...prompt, seed, yardstick: yardstickOf(scenario, summary?.judges ?? [], code) };
}

/** The same of the document that `salvo run --json` prints. It has no texts of scenarios. */
export function baselineOfDocument(document: RunDocument): Baseline {
  return {
    salvo_baseline: 1,
    salvo_version: '',
    run_id: document.run_id,
    created_at: document.created_at,
    commit: null,
    scenarios: document.scenarios
      .map((scenario): BaselineScenario => {
        const cases = new Map<number, CaseResults>();
        const isQuarantined = quarantinedIn(scenario);
        for (const trial of scenario.trials) if (!isQuarantined(trial.case_index)) addTrial(cases, trial);
        const ids = new Set(scenario.trials.flatMap((trial) => trial.eval_results.map((each) => each.assertion_id)));
        const { name, file, adapter, model, threshold, judges } = scenario;
        const yardstick = {
          threshold,
          assertions: Object.fromEntries([...ids].map((id) => [id, null])),
          judges: judgesOf(judges, () => scenario.cases.length === 0),
          mocks: null,
          task: null,
          system_prompt: null,
        };
        return {
          ...{ name, file, adapter, model, seed: document.seed, yardstick },
          ...(scenario.prompt_of && { prompt_of: scenario.prompt_of }),
          ...measurementsOf(cases),
          cases: casesOf(cases, () => ({ row: null })),
        };
      })
      .toSorted(byPlace),
  };
}

function quarantinedIn({ verdict, cases }: RunDocument['scenarios'][number]): (caseIndex: number) => boolean {
  const active = new Set(cases.flatMap(({ case_index, quarantine }) => (quarantine?.active ? [case_index] : [])));
  return (caseIndex) => verdict === 'QUARANTINED' || active.has(caseIndex);
}

interface CaseResults {
  name: string | null;
  trials: TrialResult[];
}

function addTrial(cases: Map<number, CaseResults>, result: TrialResult): void {
  const found = cases.get(result.case_index) ?? { name: result.case, trials: [] };
  cases.set(result.case_index, found);
  found.trials.push(result);
}

function casesOf(
  cases: ReadonlyMap<number, CaseResults>,
  rowOf: (caseIndex: number) => Pick<BaselineCase, 'row' | 'held_out'>,
): BaselineCase[] {
  return [...cases]
    .toSorted(([a], [b]) => a - b)
    .map(([index, { name, trials }]) => ({ case: name, ...rowOf(index), ...resultsOf(trials) }));
}

const OUTCOMES = { passed: '1', failed: '0', hard_fail: '0', crashed: '0', unscored: '-' } as const;

function resultsOf(trials: readonly TrialResult[]): Omit<BaselineCase, 'case' | 'row' | 'held_out'> {
  const byNumber = new Map(trials.map((trial) => [trial.trial_number, trial]));
  const last = trials.reduce((most, { trial_number }) => Math.max(most, trial_number), 0);
  const inOrder = Array.from({ length: last }, (_, index) => byNumber.get(index + 1));
  const scored = trials.filter(({ status }) => status !== 'unscored');
  const answers = createIdenticalAnswers();
  for (const { answer_hash } of scored) answers.add(answer_hash);
  const hasOwnScores = scored.some(({ score, status }) => score !== Number(status === 'passed'));
  return {
    trials: inOrder.map((trial) => (trial ? OUTCOMES[trial.status] : '.')).join(''),
    ...(hasOwnScores && {
      scores: inOrder.map((trial) => (trial && trial.status !== 'unscored' ? rounded(trial.score) : null)),
    }),
    ...(answers.areIdentical() && { identical: true as const }),
  };
}

function measurementsOf(
  cases: ReadonlyMap<number, CaseResults>,
): Pick<BaselineScenario, 'cost_usd' | 'latency_seconds'> {
  const scored = [...cases.values()].flatMap(({ trials }) => trials.filter(({ status }) => status !== 'unscored'));
  return {
    cost_usd: measurementOf(scored.map(({ cost_usd }) => cost_usd)),
    latency_seconds: measurementOf(scored.map(({ latency_seconds }) => latency_seconds)),
  };
}

/** Null if one of the values is unknown. */
function measurementOf(values: readonly (number | null)[]): Measurement | null {
  const known = values.filter((value) => value !== null);
  const middle = mean(known);
  if (middle === null || known.length < values.length) return null;
  const squares = known.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  return {
    trials: known.length,
    mean: significant(middle),
    sd: significant(Math.sqrt(squares / Math.max(1, known.length - 1))),
  };
}

function rounded(score: number | null): number | null {
  return score === null ? null : Math.round(score * 1e6) / 1e6;
}

/** Four digits: more would make every diff longer. */
function significant(value: number): number {
  return Number(value.toPrecision(4));
}

const FIELDS_OF_A_CASE = new Set(['skip', 'tags', 'trials']);

/** A hash of the input and of what is expected, not of whether and how often the case runs. */
function rowOf({ scenario }: RunScenario, caseIndex: number): Pick<BaselineCase, 'row' | 'held_out'> {
  const row = scenario.data?.[caseIndex];
  if (row === undefined) return { row: null };
  const hash = shortHash(Object.fromEntries(Object.entries(row).filter(([column]) => !FIELDS_OF_A_CASE.has(column))));
  return { row: hash, ...(isHeldOut(row, scenario.holdout) && { held_out: true as const }) };
}

/** So that the file does not change with the order in which files are found. */
function byPlace(a: BaselineScenario, b: BaselineScenario): number {
  const [first, second] = [a, b].map(({ file, name, adapter, model }) => [file, name, adapter, model].join('\0'));
  return (first ?? '') < (second ?? '') ? -1 : 1;
}
