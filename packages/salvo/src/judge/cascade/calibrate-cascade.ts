import { clusterRate } from '../../stats/agreement/cluster-rate.ts';
import { sumCosts } from '../../stats/cost.ts';
import { positiveMeanInterval } from '../../stats/intervals/mean-interval.ts';
import { correctedWilsonInterval } from '../../stats/intervals/wilson-interval.ts';
import { mean } from '../../stats/mean.ts';
import { seededRandom } from '../../stats/seeded-random.ts';
import { pairedRateDifference } from '../../stats/significance/paired-rates.ts';
import { judgeCostFields } from '../../trace/cost-fields.ts';
import type { AskedJudge, JudgeVerdict, LabelledAnswer } from '../which/compare-judges.ts';
import { halvesOf } from '../which/cross-fit.ts';
import { applyCascade, type CascadeAnswer, type CascadeVerdict, costOfVerdict } from './apply-cascade.ts';
import type { CalibratedStage, CascadeCalibration, TestedCascade } from './cascade-calibration.ts';
import { cascadeSentences } from './cascade-sentences.ts';
import { cascadeYaml } from './cascade-yaml.ts';
import { type CascadeGoal, type FitOptions, fitCascade } from './fit-cascade.ts';

/** A stage with what each of its verdicts costs in US dollars, in the order of the answers; null if that is unknown. */
export type PricedJudge = AskedJudge & { usd: readonly (number | null)[] };

/**
 * Chooses `sure` for each stage of a cascade on one half of the cases, and tests it on the other. It is not chosen again on
 * all of them: the interval would be too narrow, because a choice follows the chance in the labels that it is made by.
 */
export function calibrateCascade(options: {
  answers: readonly LabelledAnswer[];
  judges: readonly PricedJudge[];
  goal: CascadeGoal;
  people: boolean;
  threshold: number;
  lines: number;
  notes: readonly string[];
  seed?: number | undefined;
}): CascadeCalibration {
  const { judges, goal, people, seed = 0 } = options;
  const answers = options.answers.map(({ human, cluster }, index): CascadeAnswer => {
    return { human, cluster, stages: judges.map(({ verdicts }) => stageVerdict(verdicts[index])) };
  });
  const costs = judges.map(({ usd }) => (usd.includes(null) ? null : mean(usd.flatMap((each) => each ?? []))));
  const fit: FitOptions = { goal, costs, people };
  const halfOf = halvesOf(answers, seed);
  const [chosenOn, others] = [0, 1].map((half) => answers.filter(({ cluster }) => halfOf.get(cluster) === half));
  const sures = fitCascade(chosenOn ?? [], fit);
  const tested = sures && (others ?? []).map((answer) => ({ ...answer, said: applyCascade(answer.stages, sures) }));
  const cascade = tested && testedCascade({ tested, costs, seed });
  const stages = judges.map((judge, index): CalibratedStage => {
    const { name, judge_adapter, judge_model, mode, k } = judge;
    return {
      ...{ name, judge_adapter, judge_model, mode, k },
      sure: sures?.[index] ?? null,
      decided: tested && shareOf(tested.map(({ cluster, said }) => ({ cluster, isTrue: said.decidedBy === index }))),
      alone: aloneOf(answers, index, judge),
    };
  });
  const found = {
    goal: 'usd' in goal ? { cost_usd: goal.usd } : { agreement: goal.agreement },
    threshold: options.threshold,
    labels: {
      lines: options.lines,
      answers: answers.length,
      human_passed: answers.filter(({ human }) => human).length,
      cases: new Set(answers.map(({ cluster }) => cluster)).size,
    },
    people,
    reached: sures !== null,
    stages,
    cascade,
    yaml: sures && cascadeYaml(stages, people),
    notes: [...options.notes],
    ...judgeCostFields(sumCosts(judges.map(({ cost }) => cost))),
  };
  return { ...found, ...cascadeSentences(found) };
}

function stageVerdict(verdict: JudgeVerdict | null | undefined): CascadeAnswer['stages'][number] {
  if (!verdict) return null;
  const { passed, probability } = verdict;
  return {
    passed,
    sureness: verdict.sureness ?? (probability === null ? null : Math.max(probability, 1 - probability)),
  };
}

function testedCascade({
  tested: all,
  costs,
  seed,
}: {
  tested: readonly (CascadeAnswer & { said: CascadeVerdict })[];
  costs: FitOptions['costs'];
  seed: number;
}): TestedCascade {
  const decided = all.filter(({ said }) => said.passed !== null);
  const both = decided.flatMap(({ human, cluster, stages, said }) => {
    const last = stages.at(-1);
    return last ? [{ first: said.passed === human, second: last.passed === human, cluster }] : [];
  });
  const paired = pairedRateDifference(both, seededRandom(seed, 'cascade'));
  return {
    tested: all.length,
    agreement: shareOf(decided.map(({ human, cluster, said }) => ({ cluster, isTrue: said.passed === human }))),
    undecided: shareOf(all.map(({ cluster, said }) => ({ cluster, isTrue: said.passed === null }))),
    ...costFields(all.map(({ cluster, said }) => ({ cluster, usd: costOfVerdict(said, costs) }))),
    against_last: { n: both.length, difference: paired?.difference ?? 0, ci: paired?.interval ?? [-1, 1] },
  };
}

function aloneOf(answers: readonly CascadeAnswer[], stage: number, { usd }: PricedJudge): CalibratedStage['alone'] {
  const scored = answers.flatMap(({ human, cluster, stages }) => {
    const verdict = stages[stage];
    return verdict ? [{ cluster, isTrue: verdict.passed === human }] : [];
  });
  return {
    agreement: shareOf(scored),
    unscored: answers.length - scored.length,
    ...costFields(usd.map((each, index) => ({ cluster: String(index), usd: each }))),
  };
}

function shareOf(items: readonly { cluster: string; isTrue: boolean }[]): TestedCascade['agreement'] {
  const found = clusterRate(items);
  const count = items.filter(({ isTrue }) => isTrue).length;
  if (!found) return { count, rate: null, ci: null };
  const counted = { passed: found.rate * found.worth, total: found.worth };
  return { count, rate: found.rate, ci: correctedWilsonInterval(counted) ?? [0, 1] };
}

function costFields(
  items: readonly { cluster: string; usd: number | null }[],
): Pick<TestedCascade, 'cost_usd_per_verdict' | 'cost_ci'> {
  const known = items.flatMap(({ cluster, usd }) => (usd === null ? [] : [{ cluster, usd }]));
  if (known.length === 0 || known.length < items.length) return { cost_usd_per_verdict: null, cost_ci: null };
  const groups = [...Map.groupBy(known, ({ cluster }) => cluster).values()];
  return {
    cost_usd_per_verdict: mean(known.map(({ usd }) => usd)),
    cost_ci: positiveMeanInterval(groups.map((group) => group.map(({ usd }) => usd))),
  };
}
