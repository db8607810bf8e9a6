import { z } from 'zod';
import { quantile } from '../../stats/mean.ts';
import { sumOrUnknown } from '../../stats/sum-or-unknown.ts';
import {
  candidateLabels,
  candidateNoun,
  comparedScenarios,
  isMatrix,
  nameWithoutPrompt,
  scenarioKey,
} from '../record/candidate-labels.ts';
import { runOverallSchema, type ScenarioSummary, scenarioSummarySchema } from '../record/run-document.ts';
import { runOverall } from '../verdict/overall.ts';
import { runVerdict } from '../verdict/verdict.ts';
import type { ComparedTrial } from './comparable-trials.ts';
import { compareGroups } from './compare-together.ts';
import { type Conclusion, scenarioComparisonSchema, type TogetherComparison, togetherSchema } from './comparison.ts';

/** A prompt, a model, or an agent: its figures over all scenarios. */
const matrixModelSchema = z.object({
  /** Its prompt, its model, its adapter if only that differs, or else `adapter=model`; the prompt and one of these if both differ. */
  label: z.string(),
  verdict: scenarioSummarySchema.shape.verdict,
  scenarios: z.int(),
  trials_scored: z.int(),
  trials_passed: z.int(),
  overall: runOverallSchema,
  cost_total_usd: z.number().nullable(),
  cost_per_trial_usd: z.number().nullable(),
  /** Of all scored trials. */
  latency_p50: z.number().nullable(),
  /** On how many scenarios there was which conclusion against the first; null for the first itself. */
  compared: z.record(scenarioComparisonSchema.shape.conclusion, z.int()).nullable(),
  /** All scenarios together against the first; null for the first, and with fewer than two scenarios. */
  together: togetherSchema.nullable(),
});

const matrixComparisonSchema = scenarioComparisonSchema.extend({
  name: z.string(),
  file: z.string(),
  model: z.string(),
});

/** The models of a run, each compared with the first on every scenario: `matrix` of `salvo run --json`. */
export const runMatrixSchema = z.object({
  /** The label of the first model. */
  base: z.string(),
  models: z.array(matrixModelSchema),
  /** In each, `base` is the first model and `next` the one of `model`. `p_holm` is corrected for all of these. */
  comparisons: z.array(matrixComparisonSchema),
});

export type MatrixModel = z.infer<typeof matrixModelSchema>;
export type MatrixComparison = z.infer<typeof matrixComparisonSchema>;
export type RunMatrix = z.infer<typeof runMatrixSchema>;

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
  // A scenario with one prompt is not one more candidate.
  const hasPrompts = candidateNoun(summaries) === 'prompt';
  const compared = comparedScenarios(summaries);
  const entries = summaries
    .map((summary, index): MatrixEntry => {
      const aside = casesInQuarantine(summary);
      const counted = (trials[index] ?? []).filter((trial) => trial.case === null || !aside.has(trial.case));
      return { summary, label: labels[index] ?? '', trials: counted };
    })
    .filter(({ summary }) => summary.verdict !== 'SKIPPED' && summary.verdict !== 'QUARANTINED')
    .filter(({ summary }) => !hasPrompts || compared.has(scenarioKey(summary)));
  const byLabel = Map.groupBy(entries, ({ label }) => label);
  const [base = ''] = byLabel.keys();
  const { comparisons, together } = compareWithBase(entries, { base, seed });
  return {
    base,
    models: [...byLabel].map(([label, own]): MatrixModel => {
      const concluded = comparisons.filter((each) => each.model === label).map(({ conclusion }) => conclusion);
      const counted = label === base ? null : countOf(concluded);
      return { label, ...figuresOf(own, seed), compared: counted, together: together.get(label) ?? null };
    }),
    comparisons,
  };
}

function casesInQuarantine({ cases }: ScenarioSummary): Set<string> {
  return new Set(cases.flatMap((each) => (each.verdict === 'QUARANTINED' ? [each.case] : [])));
}

function compareWithBase(
  entries: readonly MatrixEntry[],
  { base, seed }: { base: string; seed: number | null },
): { comparisons: MatrixComparison[]; together: Map<string, TogetherComparison | null> } {
  const pairs = [...Map.groupBy(entries, ({ summary }) => scenarioKey(summary)).values()].flatMap((same) => {
    const first = same.find(({ label }) => label === base);
    return first ? same.filter((each) => each !== first).map((next) => ({ first, next })) : [];
  });
  const byModel = [...Map.groupBy(pairs, ({ next }) => next.label)];
  const compared = compareGroups(
    byModel.map(([, own]) =>
      own.map(({ first, next }) => ({ base: { trials: first.trials, seed }, next: { trials: next.trials, seed } })),
    ),
  );
  const found = new Map(
    byModel.flatMap(([, own], group) =>
      own.flatMap((pair, index) => {
        const comparison = compared[group]?.scenarios[index];
        return comparison ? [[pair, comparison] as const] : [];
      }),
    ),
  );
  return {
    comparisons: pairs.flatMap((pair) => {
      const { summary, label } = pair.next;
      const comparison = found.get(pair);
      return comparison ? [{ name: nameWithoutPrompt(summary), file: summary.file, model: label, ...comparison }] : [];
    }),
    together: new Map(byModel.map(([label], group) => [label, compared[group]?.together ?? null])),
  };
}

function figuresOf(
  own: readonly MatrixEntry[],
  seed: number | null,
): Omit<MatrixModel, 'label' | 'compared' | 'together'> {
  const summaries = own.map(({ summary }) => summary);
  const sum = (of: (summary: ScenarioSummary) => number) => summaries.reduce((total, each) => total + of(each), 0);
  const cost = sumOrUnknown(summaries.map(({ cost_total_usd }) => cost_total_usd));
  const ran = sum((each) => each.trials_total + each.trials_quarantined + each.trials_not_judged);
  const latencies = own.flatMap(({ trials }) =>
    trials.flatMap(({ passed, latency_seconds }) => (passed === null ? [] : [latency_seconds])),
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

function countOf(conclusions: readonly Conclusion[]): MatrixModel['compared'] {
  const count = (of: Conclusion) => conclusions.filter((each) => each === of).length;
  return {
    better: count('better'),
    worse: count('worse'),
    no_evidence: count('no_evidence'),
    too_few_trials: count('too_few_trials'),
    not_comparable: count('not_comparable'),
  };
}
