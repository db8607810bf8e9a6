import { namedAssertions } from '../../../evaluators/assertion-ids.ts';
import { judgeRemarks } from '../../../report/judge/judge-summaries.ts';
import { flakyInRun, runNotes } from '../../../report/run/stored-run-report.ts';
import { verdictReason } from '../../../report/run/verdict.ts';
import type { ChaosDocument } from '../../../run/faults/chaos-document.ts';
import { byCandidate, candidateLabels, isMatrix, scenarioKey } from '../../../run/record/candidate-labels.ts';
import type { FlakyCase } from '../../../run/record/flaky-case.ts';
import { plannedCases, plannedTrials } from '../../../run/record/planned-cases.ts';
import { costOfAgents, type RunOverall, type ScenarioSummary } from '../../../run/record/run-document.ts';
import type { RunRecord, RunScenario } from '../../../run/record/run-record.ts';
import { runOverall } from '../../../run/verdict/overall.ts';
import { runVerdict } from '../../../run/verdict/verdict.ts';
import { isInQuarantine } from '../../../scenario/schema/quarantine-schema.ts';
import { sumCosts } from '../../../stats/cost.ts';
import type { Store } from '../../../store/store.ts';
import { findRun } from '../../project/open-project.ts';
import { withLabels } from '../../results/with-labels.ts';
import { canResume } from '../../selection/resume-run.ts';
import { workUnderWay } from '../work-under-way.ts';
import { runCosts } from './run-line.ts';

/** A run, without its trials. */
export type RunView = Awaited<ReturnType<typeof runView>>;

export type ScenarioView = ReturnType<typeof scenarioView>;

export async function runView(store: Store, idOrPrefix: string) {
  const found = await withLabels(store, await findRun(store, idOrPrefix));
  const { scenarios, ...run } = found;
  const underWay = await workUnderWay(store, { kind: 'run', id: run.run_id });
  const summaries = scenarios.flatMap(({ summary }) => (summary === null ? [] : [summary]));
  const labels = candidateLabels(scenarios);
  const { seed } = run.options;
  const compared = isMatrix(scenarios);
  // A process that was killed could not say that its run was interrupted.
  const ended = run.status === 'running' ? 'interrupted' : run.status;
  const status: RunRecord['status'] = underWay.is_running ? 'running' : ended;
  return {
    ...run,
    status,
    ...underWay,
    /** Something is missing that `salvo run --resume` can run. */
    can_resume: !underWay.is_running && canResume(found),
    /** What a reader must know of the verdict. */
    notes: runNotes(found),
    /** Null if several models are compared: each has its own, in `models`. */
    overall: compared ? null : overallOf(summaries, seed),
    // As in the list of runs.
    ...(run.status === 'running' ? { cost: null, judge_cost: null, user_cost: null } : runCosts(summaries)),
    models: compared ? modelViews(summaries, seed) : [],
    /** Pass rates by dose, of a run of `salvo chaos` that has ended; null of any other. */
    chaos: run.options.faults?.variants && status !== 'running' ? await chaosView(store, found) : null,
    scenarios: scenarios.map((each, index) => scenarioView(each, run, { index, label: labels[index] ?? '' })),
    /** What people would pass, and what judges did not see, in words. */
    judge_notes: scenarios.flatMap(({ name, summary }, index) => {
      const entry = compared ? `${name} with ${labels[index] ?? ''}` : name;
      return summary ? judgeRemarks(summary).map((parts) => `${entry}: ${parts.join('; ')}.`) : [];
    }),
    /** What the baseline means for each scenario that ended, in words; empty without a baseline. */
    baseline_notes: scenarios.flatMap(({ name, summary }, index) => {
      if (!summary?.baseline) return [];
      return [`${compared ? `${name} with ${labels[index] ?? ''}` : name}: ${verdictReason(summary)}.`];
    }),
  };
}

async function chaosView(store: Store, run: RunRecord): Promise<ChaosDocument> {
  const { chaosDocument } = await import('../../runs/chaos.ts');
  return chaosDocument(store, run);
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
) {
  const cases = plannedCases(scenario, { options, chosen: options.cases?.[position] ?? null });
  return {
    ...listed,
    /** Entries of the same scenario have the same key, and the label tells their models apart. */
    key: scenarioKey(listed),
    label,
    // The grid is made from outcomes, and there may be thousands of cases.
    summary: summary && { ...summary, cases: [] },
    trials_planned: plannedTrials(cases),
    /** The cases that belong to the run, in order; empty without data. */
    cases: cases.flatMap(({ index, name, trials, skip, quarantine }) => {
      if (name === null) return [];
      const isActive = quarantine !== null && isInQuarantine(quarantine, created_at);
      return [{ case_index: index, name, trials, skip, quarantine: isActive ? quarantine.reason : null }];
    }),
    /** Those of its rows come last. */
    assertions: namedAssertions(scenario).map(({ id, type, weight, required, ...keys }) => ({
      ...{ id, type, weight, required },
      /** Its judge compares two answers, so that a label of one says nothing about it. */
      is_pairwise: type === 'judge' && 'against' in keys && keys.against !== undefined,
    })),
  };
}

/** What both passed and failed at the commit of this run. Other runs are read for it, so it is asked for by itself. */
export async function flakyView(store: Store, idOrPrefix: string): Promise<{ flaky: FlakyCase[] }> {
  return { flaky: await flakyInRun(store, await findRun(store, idOrPrefix)) };
}

export async function outcomePage(
  store: Store,
  runId: string,
  page: { scenarioIndex?: number | undefined; offset: number; limit: number },
) {
  const outcomes = await store.trialOutcomes(runId, page);
  // Where the next page begins; null after the last one.
  return { outcomes, next_offset: outcomes.length < page.limit ? null : page.offset + page.limit };
}
