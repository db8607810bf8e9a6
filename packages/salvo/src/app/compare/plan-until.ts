import { DEFAULT_MARGIN } from '../../run/compare/against-rule.ts';
import { type Baseline, type BaselineCase, outcomesOf } from '../../run/compare/baseline.ts';
import { casesOf } from '../../run/compare/compared-cases.ts';
import { pairedScenarios } from '../../run/compare/paired-scenarios.ts';
import type { UntilPlan } from '../../run/plan/plan.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { seededRandom } from '../../stats/seeded-random.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { codeOfRun } from '../runs/code-of-run.ts';
import { gitState } from '../runs/git-state.ts';
import { plannedRun, skippedScenario } from '../runs/plan-run.ts';
import type { ChosenEntry } from '../selection/choose-entries.ts';
import type { AgainstOptions } from './against.ts';
import { openResultsReader } from './run-source.ts';
import { planUntil } from './until.ts';

/** Of each size of a drop. */
const SIMULATED_RUNS = 40;
/** What the mean of a scenario counts in the rate of a case with few trials. */
const TRIALS_OF_MEAN = 2;

export type UntilPlanOptions = Pick<
  AgainstOptions,
  'against' | 'until' | 'maxTrials' | 'maxDrop' | 'gate' | 'evidence'
>;

/**
 * What `--until decided` would need: the same computation as before the run says what can be shown at the earliest, and
 * simulated runs, with the pass rates of the baseline, say what is typical.
 */
export async function planUntilDecided(
  chosen: readonly ChosenEntry[],
  options: UntilPlanOptions,
  place: { project: Project; cwd: string; env: Record<string, string | undefined> },
): Promise<UntilPlan> {
  const { against: source, maxDrop = null, gate } = options;
  if (source === undefined) {
    throw new SalvoError('OPTIONS_INVALID', '{option:until} needs a baseline: give {option:against} as well.');
  }
  const { project } = place;
  await using reader = openResultsReader(project, place);
  const { baseline } = await reader.read(source);
  const planned = plannedRun(
    [],
    {},
    {
      cases: chosen.map(({ cases }) => cases),
      skipped: chosen.map((each) => skippedScenario(each, project)),
      git: await gitState(project.root),
      ...(await codeOfRun(chosen, place)),
    },
  );
  const against = { source, max_drop: maxDrop, ...(gate && { gate }) };
  const run = { ...planned, options: { ...planned.options, against } };
  const {
    earliest,
    decided: before,
    notes,
    next,
    shownBy,
    trials,
  } = await planUntil(run, { ...place, baseline, options });
  const most = next.scenarios.reduce((sum, { cases }) => sum + cases.length * trials, 0);
  const margin = maxDrop ?? DEFAULT_MARGIN;
  const rates = ratesOf(baseline, next);
  const typical = (before ? [] : [0, margin, 2 * margin]).map((drop) => {
    const random = seededRandom('plan until', source, drop);
    const found = Array.from({ length: SIMULATED_RUNS }, () =>
      shownBy((scenario, index) => drawn(rates[scenario]?.[index], { drop, trials, random })),
    );
    const share = (answer: 'worse' | 'better' | 'not_worse' | null) =>
      found.filter(({ decided }) => decided === answer).length / SIMULATED_RUNS;
    const used = found.map((each) => (each.decided ? each.trials : most)).toSorted((a, b) => a - b);
    return {
      ...{
        drop,
        worse: share('worse'),
        better: share('better'),
        not_worse: share('not_worse'),
        undecided: share(null),
      },
      trials: used[Math.floor((used.length - 1) / 2)] ?? most,
    };
  });
  return {
    source,
    margin,
    most_trials: most,
    decided: before,
    notes,
    earliest,
    simulated_runs: SIMULATED_RUNS,
    typical,
  };
}

interface CaseRate {
  rate: number;
  mean: number;
  isOneAnswer: boolean;
}

/** The pass rate of each case of a run in its baseline, drawn to the mean of its scenario. A case that it lacks has the mean. */
function ratesOf(baseline: Baseline, next: Baseline): CaseRate[][] {
  const { pairs } = pairedScenarios(baseline.scenarios, next.scenarios);
  return next.scenarios.map((scenario) => {
    const pair = pairs.find((each) => each.next === scenario);
    const keyed = pair && casesOf(pair).keyed;
    const before = new Map(keyed?.base.map(({ key, each }) => [key, each]));
    const sums = totals([...before.values()]);
    const mean = sums.scored > 0 ? sums.passed / sums.scored : 0.5;
    const keys = new Map(keyed?.next.map(({ key, each }) => [each, key]));
    return scenario.cases.map((each) => {
      const base = before.get(keys.get(each) ?? '');
      const { passed, scored } = totals(base ? [base] : []);
      const rate = (passed + mean * TRIALS_OF_MEAN) / (scored + TRIALS_OF_MEAN);
      return { rate, mean, isOneAnswer: base?.identical === true };
    });
  });
}

function totals(cases: readonly BaselineCase[]): { passed: number; scored: number } {
  const all = cases.map(outcomesOf);
  const sum = (of: 'passed' | 'scored') => all.reduce((total, each) => total + each[of], 0);
  return { passed: sum('passed'), scored: sum('scored') };
}

/** Trials of a case whose scenario fell by so much. An agent that gave one answer only is taken to do so again. */
function drawn(
  { rate, mean, isOneAnswer }: CaseRate = { rate: 0.5, mean: 0.5, isOneAnswer: false },
  { drop, trials, random }: { drop: number; trials: number; random: () => number },
): Pick<BaselineCase, 'trials' | 'identical'> {
  const chance = mean > 0 ? rate * Math.max(0, 1 - drop / mean) : 0;
  const one = () => String(Number(random() < chance));
  if (isOneAnswer) return { trials: one().repeat(trials), identical: true };
  return { trials: Array.from({ length: trials }, one).join('') };
}
