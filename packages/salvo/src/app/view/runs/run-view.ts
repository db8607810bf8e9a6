import { assertionIds } from '../../../evaluators/assertion-ids.ts';
import { flakyInRun, runNotes } from '../../../report/run/stored-run-report.ts';
import { verdictReason } from '../../../report/run/verdict.ts';
import { byCandidate, candidateLabels, isMatrix, scenarioKey } from '../../../run/record/candidate-labels.ts';
import type { FlakyCase } from '../../../run/record/flaky-case.ts';
import { plannedCases, plannedTrials } from '../../../run/record/planned-cases.ts';
import type { RunOverall, ScenarioSummary } from '../../../run/record/run-document.ts';
import { costOfAgents } from '../../../run/record/run-document.ts';
import type { RunRecord, RunScenario, TrialOutcome } from '../../../run/record/run-record.ts';
import { runOverall } from '../../../run/verdict/overall.ts';
import { runVerdict } from '../../../run/verdict/verdict.ts';
import { isInQuarantine } from '../../../scenario/schema/quarantine-schema.ts';
import { type Cost, sumCosts } from '../../../stats/cost.ts';
import type { Store } from '../../../store/store.ts';
import { findRun } from '../../project/open-project.ts';
import { canResume } from '../../selection/resume-run.ts';
import { type WorkUnderWay, workUnderWay } from '../work-under-way.ts';
import { runCosts } from './run-line.ts';

/** A run, without its trials. */
export interface RunView extends Omit<RunRecord, 'scenarios'>, WorkUnderWay {
  /** Something is missing that `salvo run --resume` can run. */
  can_resume: boolean;
  /** What a reader must know of the verdict. */
  notes: string[];
  /** Null if several models are compared: each has its own, in `models`. */
  overall: RunOverall | null;
  /** As in the list of runs. Null until the run ends. */
  cost: Cost | null;
  judge_cost: Cost | null;
  /** Empty unless several models are compared. */
  models: ReturnType<typeof modelViews>;
  scenarios: ScenarioView[];
  /** What the baseline means for each scenario that ended, in words; empty without a baseline. */
  baseline_notes: string[];
}

export interface ScenarioView extends Omit<RunScenario, 'scenario' | 'summary'> {
  trials_planned: number;
  /** The cases that belong to the run, in order; empty without data. */
  cases: { case_index: number; name: string; trials: number; skip: string | null; quarantine: string | null }[];
  /** In the order of the file. */
  assertions: { id: string; type: string; weight: number; required: boolean }[];
  /** Entries of the same scenario have the same key, and the label tells their models apart. */
  key: string;
  label: string;
  /** Without its cases. Null until the run ends. */
  summary: ScenarioSummary | null;
}

export async function runView(store: Store, idOrPrefix: string): Promise<RunView> {
  const found = await findRun(store, idOrPrefix);
  const { scenarios, ...run } = found;
  const underWay = await workUnderWay(store, { kind: 'run', id: run.run_id });
  const summaries = scenarios.flatMap(({ summary }) => (summary === null ? [] : [summary]));
  const labels = candidateLabels(scenarios);
  const { seed } = run.options;
  const compared = isMatrix(scenarios);
  return {
    ...run,
    // A process that was killed could not say that its run was interrupted.
    status: underWay.is_running ? 'running' : run.status === 'running' ? 'interrupted' : run.status,
    ...underWay,
    can_resume: !underWay.is_running && canResume(found),
    notes: runNotes(found),
    overall: compared ? null : overallOf(summaries, seed),
    ...(run.status === 'running' ? { cost: null, judge_cost: null } : runCosts(summaries)),
    models: compared ? modelViews(summaries, seed) : [],
    scenarios: scenarios.map((each, index) => scenarioView(each, run, { index, label: labels[index] ?? '' })),
    baseline_notes: scenarios.flatMap(({ name, summary }, index) => {
      if (!summary?.baseline) return [];
      return [`${compared ? `${name} with ${labels[index] ?? ''}` : name}: ${verdictReason(summary)}.`];
    }),
  };
}

/** Of one scenario, the interval over its trials is known. */
function overallOf(summaries: readonly ScenarioSummary[], seed: number | null): RunOverall {
  const overall = runOverall(summaries, seed);
  const [only, ...others] = summaries;
  if (!only || others.length > 0 || overall.pass_rate === null) return overall;
  return { ...overall, pass_rate_ci: only.pass_rate_ci };
}

/** Each model of a run that compares several, over all its scenarios. */
function modelViews(summaries: readonly ScenarioSummary[], seed: number | null) {
  return Array.from(byCandidate(summaries), ([label, own]) => ({
    label,
    verdict: runVerdict(own.map(({ verdict }) => verdict)).verdict,
    overall: overallOf(own, seed),
    trials_scored: own.reduce((sum, { trials_scored }) => sum + trials_scored, 0),
    trials_passed: own.reduce((sum, { trials_passed }) => sum + trials_passed, 0),
    cost: sumCosts(own.map(costOfAgents)),
  }));
}

function scenarioView(
  { scenario, summary, ...listed }: RunScenario,
  { options, created_at }: Pick<RunRecord, 'options' | 'created_at'>,
  { index: position, label }: { index: number; label: string },
): ScenarioView {
  const cases = plannedCases(scenario, { options, chosen: options.cases?.[position] ?? null });
  const ids = assertionIds(scenario.assertions);
  return {
    ...listed,
    key: scenarioKey(listed),
    label,
    // The grid is made from outcomes, and there may be thousands of cases.
    summary: summary && { ...summary, cases: [] },
    trials_planned: plannedTrials(cases),
    cases: cases.flatMap(({ index, name, trials, skip, quarantine }) => {
      if (name === null) return [];
      const isActive = quarantine !== null && isInQuarantine(quarantine, created_at);
      return [{ case_index: index, name, trials, skip, quarantine: isActive ? quarantine.reason : null }];
    }),
    assertions: scenario.assertions.map(({ type, weight, required }, index) => ({
      ...{ id: ids[index] ?? type, type, weight, required },
    })),
  };
}

/** What both passed and failed at the commit of this run. Other runs are read for it, so it is asked for by itself. */
export async function flakyView(store: Store, idOrPrefix: string): Promise<{ flaky: FlakyCase[] }> {
  return { flaky: await flakyInRun(store, await findRun(store, idOrPrefix)) };
}

export interface OutcomePage {
  outcomes: TrialOutcome[];
  /** Where the next page begins; null after the last one. */
  next_offset: number | null;
}

export async function outcomePage(
  store: Store,
  runId: string,
  page: { scenarioIndex?: number | undefined; offset: number; limit: number },
): Promise<OutcomePage> {
  const outcomes = await store.trialOutcomes(runId, page);
  return { outcomes, next_offset: outcomes.length < page.limit ? null : page.offset + page.limit };
}
