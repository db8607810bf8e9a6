import type { TrialResult } from '../../trial/trial-result.ts';
import type { ComparedTrial } from '../compare/comparable-trials.ts';
import { compareGroups } from '../compare/compare-together.ts';
import type { ScenarioComparison } from '../compare/comparison.ts';
import { plannedCases, plannedTrials } from '../record/planned-cases.ts';
import type { RunRecord, RunScenario } from '../record/run-record.ts';
import type { ChaosAlone, ChaosScenario, ChaosVariant } from './chaos-document.ts';
import { faultOutcomes } from './fault-outcomes.ts';

/** A scenario of the run with its dose, and its trials. */
interface Entry {
  then: RunScenario;
  variant: NonNullable<RunScenario['scenario']['variant']>;
  results: readonly TrialResult[];
  planned: number;
}

/** The scenarios of a run of `salvo chaos`, each with all its doses. `results` has the trials by position of the scenario. */
export function chaosFigures(run: RunRecord, results: readonly (readonly TrialResult[])[]): ChaosScenario[] {
  const entries = run.scenarios.flatMap((then, index): Entry[] => {
    const { variant } = then.scenario;
    const chosen = run.options.cases?.[index] ?? null;
    const planned = plannedTrials(plannedCases(then.scenario, { options: run.options, chosen }));
    return variant ? [{ then, variant, results: results[index] ?? [], planned }] : [];
  });
  const groups = [...Map.groupBy(entries, keyOf).values()];
  const compared = compareAlone(groups, run.options.seed);
  return groups.flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { file, adapter, model, scenario } = first.then;
    const doses = own.filter(({ variant }) => variant.alone === null).map(variantFigures);
    const alone = own.flatMap((entry): ChaosAlone[] => {
      const { alone: fault } = entry.variant;
      return fault === null ? [] : [{ ...variantFigures(entry), fault, ...differenceOf(compared.get(entry)) }];
    });
    return [
      {
        ...{ name: first.variant.of, file, adapter, model },
        doses: doses.toSorted((a, b) => a.dose - b.dose),
        alone: alone.toSorted((a, b) => (a.difference?.value ?? 0) - (b.difference?.value ?? 0)),
        outcomes: faultOutcomes(
          own.flatMap((entry) => entry.results),
          scenario,
        ),
      },
    ];
  });
}

function keyOf({ then: { file, adapter, model }, variant }: Entry): string {
  return JSON.stringify([file, variant.of, adapter, model]);
}

function variantFigures({ then, variant, results, planned }: Entry): ChaosVariant {
  const { summary, scenario, name } = then;
  const scored = results.filter(({ status }) => status !== 'unscored');
  const faults: Record<string, number> = {};
  for (const result of results) {
    for (const [label, count] of Object.entries(result.faults ?? {})) faults[label] = (faults[label] ?? 0) + count;
  }
  return {
    ...{ name, dose: variant.dose, verdict: summary?.verdict ?? null, trials_planned: planned },
    trials_scored: scored.length,
    trials_passed: scored.filter(({ passed }) => passed).length,
    trials_unscored: results.length - scored.length,
    // As every report of the run has them.
    pass_rate: summary?.pass_rate ?? null,
    pass_rate_ci: summary?.pass_rate_ci ?? null,
    faults,
    outcomes: faultOutcomes(results, scenario),
  };
}

/** Each fault alone against no faults. All are one family of tests. */
function compareAlone(groups: readonly (readonly Entry[])[], seed: number | null): Map<Entry, ScenarioComparison> {
  const pairs = groups.flatMap((own) => {
    const base = own.find(({ variant }) => variant.dose === 0);
    return base ? own.filter(({ variant }) => variant.alone !== null).map((next) => ({ base, next })) : [];
  });
  const compared = compareGroups(
    pairs.map(({ base, next }) => [{ base: { trials: trialsOf(base), seed }, next: { trials: trialsOf(next), seed } }]),
  );
  return new Map(
    pairs.flatMap(({ next }, index) => {
      const comparison = compared[index]?.scenarios[0];
      return comparison ? [[next, comparison] as const] : [];
    }),
  );
}

function differenceOf(
  comparison: ScenarioComparison | undefined,
): Pick<ChaosAlone, 'conclusion' | 'difference' | 'p' | 'p_holm'> {
  const { conclusion = 'not_comparable', difference = null, p = null, p_holm = null } = comparison ?? {};
  return { conclusion, difference, p, p_holm };
}

function trialsOf({ results }: Entry): ComparedTrial[] {
  return results.map(({ case: name, trial_number: trial, status, passed, score, answer_hash: answer }) => ({
    ...{ case: name, trial, score, answer },
    passed: status === 'unscored' ? null : passed,
  }));
}
