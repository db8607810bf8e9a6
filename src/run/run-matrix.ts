import { quantile } from '../stats/quantile.ts';
import { sumOrUnknown } from '../stats/sum-or-unknown.ts';
import { candidateLabels, isMatrix, scenarioKey } from './candidate-labels.ts';
import type { ComparedTrial } from './compare/comparable-trials.ts';
import { compareAll } from './compare/compare-scenario.ts';
import { runOverall } from './overall.ts';
import type { MatrixModel, RunMatrix, ScenarioSummary } from './run-document.ts';
import { runVerdict } from './verdict.ts';

/** A trial as far as models are compared. */
export interface MatrixTrial extends ComparedTrial {
  latency_seconds: number | null;
}

/** A scenario with one adapter and model. */
interface MatrixEntry {
  summary: ScenarioSummary;
  label: string;
  trials: readonly MatrixTrial[];
}

/**
 * The models of a run, and how each differs from the first on every scenario. Null if no scenario ran with several. The
 * p values are corrected for all comparisons of the run together.
 */
export function runMatrix(
  summaries: readonly ScenarioSummary[],
  { trials, seed }: { trials: readonly (readonly MatrixTrial[])[]; seed: number | null },
): RunMatrix | null {
  if (!isMatrix(summaries)) return null;
  const labels = candidateLabels(summaries);
  const entries = summaries
    .map((summary, index): MatrixEntry => ({ summary, label: labels[index] ?? '', trials: trials[index] ?? [] }))
    // A skipped scenario is in the run once, with no model.
    .filter(({ summary }) => summary.verdict !== 'SKIPPED');
  const byLabel = Map.groupBy(entries, ({ label }) => label);
  const [base = ''] = byLabel.keys();
  const comparisons = compareWithBase(entries, { base, seed });
  return {
    base,
    models: [...byLabel].map(([label, own]): MatrixModel => {
      const concluded = comparisons.filter((each) => each.model === label).map(({ conclusion }) => conclusion);
      return { label, ...figuresOf(own, seed), compared: label === base ? null : countOf(concluded) };
    }),
    comparisons,
  };
}

function compareWithBase(
  entries: readonly MatrixEntry[],
  { base, seed }: { base: string; seed: number | null },
): RunMatrix['comparisons'] {
  const pairs = [...Map.groupBy(entries, ({ summary }) => scenarioKey(summary)).values()].flatMap((same) => {
    const first = same.find(({ label }) => label === base);
    return first ? same.filter((each) => each !== first).map((next) => ({ first, next })) : [];
  });
  const compared = compareAll(
    pairs.map(({ first, next }) => ({ base: { trials: first.trials, seed }, next: { trials: next.trials, seed } })),
  );
  return pairs.flatMap(({ next: { summary, label } }, index) => {
    const comparison = compared[index];
    return comparison ? [{ name: summary.name, file: summary.file, model: label, ...comparison }] : [];
  });
}

function figuresOf(own: readonly MatrixEntry[], seed: number | null): Omit<MatrixModel, 'label' | 'compared'> {
  const summaries = own.map(({ summary }) => summary);
  const sum = (of: (summary: ScenarioSummary) => number) => summaries.reduce((total, each) => total + of(each), 0);
  const cost = sumOrUnknown(summaries.map(({ cost_total_usd }) => cost_total_usd));
  const ran = sum((each) => each.trials_total + each.trials_not_judged);
  const latencies = own.flatMap(({ trials }) =>
    trials.flatMap(({ passed, latency_seconds }) =>
      passed === null || latency_seconds === null ? [] : [latency_seconds],
    ),
  );
  return {
    verdict: runVerdict(summaries.map(({ verdict }) => verdict)).verdict,
    scenarios: summaries.length,
    trials_scored: sum((each) => each.trials_scored),
    trials_passed: sum((each) => each.trials_passed),
    overall: runOverall(summaries, seed),
    cost_total_usd: cost,
    cost_per_trial_usd: cost === null || ran === 0 ? null : cost / ran,
    latency_p50: quantile(latencies, 0.5),
  };
}

function countOf(conclusions: readonly RunMatrix['comparisons'][number]['conclusion'][]): MatrixModel['compared'] {
  const count = (of: (typeof conclusions)[number]) => conclusions.filter((each) => each === of).length;
  return {
    better: count('better'),
    worse: count('worse'),
    no_evidence: count('no_evidence'),
    too_few_trials: count('too_few_trials'),
    not_comparable: count('not_comparable'),
  };
}
