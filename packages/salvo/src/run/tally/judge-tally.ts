import { z } from 'zod';
import type { EvalResult } from '../../evaluators/eval-result.ts';
import { laterSchema } from '../../secrets/text-marks.ts';
import { type AgreementTable, tableKappa } from '../../stats/agreement/cohen-kappa.ts';
import { effectiveSize } from '../../stats/agreement/effective-size.ts';
import { createKrippendorffTally } from '../../stats/agreement/krippendorff-alpha.ts';
import { clusterIntervals } from '../../stats/intervals/cluster-intervals.ts';
import type { CountedRate } from '../../stats/intervals/corrected-rate.ts';
import { wilsonInterval } from '../../stats/intervals/wilson-interval.ts';
import { seededRandom } from '../../stats/seeded-random.ts';
import { createRunningSum, sumOrUnknown } from '../../stats/sum-or-unknown.ts';
import { type JudgeSummary, usedRecalibrationSchema } from '../record/judge-summary.ts';
import { countPreference, type PairCounts, pairwiseSummary } from './pair-tally.ts';

/** The part of `JudgeMetadata` that is needed here. */
const factsSchema = laterSchema(() =>
  z.object({
    judge_model: z.string(),
    judge_adapter: z.string(),
    judge_hash: z.string(),
    threshold: z.number(),
    votes: z.array(z.object({ scores: z.unknown() })),
    dissenting_votes: z.int(),
    saved_calls: z.int(),
    recalibration: laterSchema(() =>
      z.object({ ...usedRecalibrationSchema.shape, passed_before: z.boolean() }),
    ).optional(),
    cached_votes: z.int(),
    repaired_votes: z.int(),
    retries: z.int(),
    material: z.object({ parts: z.int() }).optional(),
    left_out: z.array(z.unknown()).optional(),
    cascade: laterSchema(() =>
      z.object({
        decided_by: z.int().nullable(),
        stages: z.array(
          z.object({
            judge_model: z.string(),
            sure: z.number().nullable(),
            outcome: z.string(),
            cached_votes: z.int().optional(),
            cost_usd: z.number().nullable().optional(),
            votes: z.array(z.unknown()).optional(),
          }),
        ),
        people: z.string().optional(),
      }),
    ).optional(),
    panel: z
      .object({
        judges: z.array(
          z.object({ judge_model: z.string(), score: z.number().nullable(), passed: z.boolean().nullable() }),
        ),
      })
      .nullable(),
    pairwise: laterSchema(() =>
      z.object({
        preference: z.enum(['win', 'tie', 'loss']).nullable(),
        identical: z.boolean(),
        order: z.object({ votes: z.int(), changed: z.int(), first: z.number() }),
      }),
    ).optional(),
  }),
);

type Facts = z.infer<typeof factsSchema>;

/** The results of every judge over the trials. Memory grows with the judges, not with the trials. */
export function createJudgeTally({ hasCases }: { hasCases: boolean }) {
  const records = new Map<string, JudgeRecord>();
  return {
    add({ case_index, eval_results }: { case_index: number; eval_results: readonly EvalResult[] }): void {
      for (const result of eval_results) {
        if (result.assertion_type !== 'judge') continue;
        // A judge that threw has no metadata.
        const { data: facts } = factsSchema.safeParse(result.metadata);
        if (!facts) continue;
        // A run can be resumed with another judge. The criteria of cases may have templates, but are of one judge.
        const key = [
          ...[result.assertion_id, ...(hasCases ? [] : [facts.judge_hash]), facts.threshold],
          facts.recalibration?.calibrated_at,
        ].join('\0');
        const record = records.get(key) ?? createRecord(result.assertion_id, facts, { hasCases });
        records.set(key, record);
        record.add(result, facts, case_index);
      }
    },
    /** In the order of the assertions' ids. `withCalibrations` adds what is known from calibrations. */
    judges: () => [...records].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record.summary()),
  };
}

type JudgeRecord = ReturnType<typeof createRecord>;

function createRecord(assertion_id: string, facts: Facts, { hasCases }: { hasCases: boolean }) {
  const { judge_model, judge_adapter, judge_hash, threshold, recalibration } = facts;
  const count = {
    judged: 0,
    passed: 0,
    cast: 0,
    saved: 0,
    cached: 0,
    repaired: 0,
    retries: 0,
    readable: 0,
    dissenting: 0,
    cut: 0,
    inParts: 0,
    recalibrated: 0,
  };
  const byCase = new Map<number, CountedRate>();
  const pairsByCase = new Map<number, PairCounts>();
  const alpha = createKrippendorffTally();
  const pairs = new Map<string, { a: string; b: string; table: AgreementTable }>();
  const cascade = facts.cascade && createCascadeTally(facts.cascade);
  return {
    add({ status, passed }: EvalResult, facts: Facts, caseIndex: number): void {
      if (facts.cascade) cascade?.add(facts.cascade);
      count.cast += votesCast(facts);
      count.saved += facts.saved_calls;
      count.cached += facts.cached_votes;
      count.repaired += facts.repaired_votes;
      count.retries += facts.retries;
      if (status !== 'scored') return;
      count.judged += 1;
      count.passed += passed ? 1 : 0;
      count.recalibrated += (facts.recalibration?.passed_before ?? passed) === passed ? 0 : 1;
      const ofCase = byCase.get(caseIndex) ?? { passed: 0, total: 0 };
      byCase.set(caseIndex, { passed: ofCase.passed + Number(passed), total: ofCase.total + 1 });
      // Without data, trials are independent: each is a cluster of its own.
      if (facts.pairwise) countPreference(pairsByCase, hasCases ? caseIndex : count.judged, facts.pairwise);
      count.readable += facts.votes.filter(({ scores }) => scores !== null).length;
      count.dissenting += facts.dissenting_votes;
      count.cut += (facts.left_out ?? []).length > 0 ? 1 : 0;
      count.inParts += (facts.material?.parts ?? 1) > 1 ? 1 : 0;
      if (!facts.panel) return;
      alpha.add(facts.panel.judges.map(({ score }) => score));
      countPairs(pairs, facts.panel.judges);
    },
    summary: (): JudgeSummary => ({
      assertion_id,
      judge_model,
      judge_adapter,
      judge_hash,
      calibrated: null,
      calibration_verdict: null,
      calibration_note: null,
      ...(recalibration && {
        recalibration: { ...usedRecalibrationSchema.parse(recalibration), verdicts_changed: count.recalibrated },
      }),
      threshold,
      trials_judged: count.judged,
      pass_rate: count.judged === 0 ? null : count.passed / count.judged,
      trials_cut: count.cut,
      trials_in_parts: count.inParts,
      ...(hasCases ? overCases(byCase) : overTrials({ passed: count.passed, total: count.judged })),
      corrected_pass_rate: null,
      corrected_ci: null,
      ...(pairsByCase.size > 0 && { pairwise: pairwiseSummary(pairsByCase) }),
      ...(cascade && { cascade: cascade.summary() }),
      votes_cast: count.cast,
      votes_saved: count.saved,
      votes_cached: count.cached,
      votes_repaired: count.repaired,
      retries: count.retries,
      dissent_rate: count.readable === 0 ? null : count.dissenting / count.readable,
      pairwise_kappa: [...pairs.values()].map(({ a, b, table }) => ({ a, b, kappa: tableKappa(table) })),
      krippendorff_alpha: alpha.alpha(),
    }),
  };
}

/** Those of the stages before the one that decided are with these stages. */
function votesCast({ votes, cascade }: Facts): number {
  const earlier = cascade?.stages.reduce((sum, stage) => sum + (stage.votes?.length ?? 0), 0) ?? 0;
  return cascade && cascade.decided_by === null ? earlier : votes.length + earlier;
}

type CascadeFacts = NonNullable<Facts['cascade']>;

/** How many trials each stage of a cascade decided, and at what cost. */
function createCascadeTally(first: CascadeFacts) {
  const stages = first.stages.map(({ judge_model, sure }) => ({
    counts: { judge_model, sure, asked: 0, decided: 0, unscored: 0 },
    cost: createRunningSum(),
  }));
  const people = first.people === undefined ? null : { decided: 0, waiting: 0 };
  /** What the last judge was paid for, without cached votes. */
  const ofLast = createRunningSum();
  const count = { trials: 0, undecided: 0, paid: 0 };
  return {
    add(cascade: CascadeFacts): void {
      count.trials += 1;
      if (cascade.decided_by === null) count.undecided += 1;
      if (people && cascade.people === 'decided') people.decided += 1;
      if (people && cascade.people === 'waiting') people.waiting += 1;
      for (const [index, { outcome, cost_usd: usd = null, cached_votes = 0 }] of cascade.stages.entries()) {
        const stage = stages[index];
        if (!stage || outcome === 'not_asked') continue;
        stage.counts.asked += 1;
        stage.counts.decided += outcome === 'decided' ? 1 : 0;
        stage.counts.unscored += outcome === 'unscored' ? 1 : 0;
        stage.cost.add(usd);
        if (index < stages.length - 1 || cached_votes > 0 || outcome === 'unscored') continue;
        count.paid += 1;
        ofLast.add(usd);
      }
    },
    summary(): NonNullable<JudgeSummary['cascade']> {
      const paid = ofLast.total();
      return {
        stages: stages.map(({ counts, cost }) => ({ ...counts, cost_usd: cost.total() })),
        people: people && { ...people },
        undecided: count.undecided,
        cost_usd: sumOrUnknown(stages.map(({ cost }) => cost.total())),
        last_alone_usd: count.paid === 0 || paid === null ? null : (paid / count.paid) * count.trials,
      };
    },
  };
}

type Certainty = Pick<JudgeSummary, 'pass_rate_ci' | 'trials_worth'>;

function overTrials(counts: CountedRate): Certainty {
  return { pass_rate_ci: wilsonInterval(counts), trials_worth: counts.total };
}

/** The order of cases does not depend on the order in which trials finished. */
function overCases(byCase: ReadonlyMap<number, CountedRate>): Certainty {
  const cases = [...byCase].toSorted(([a], [b]) => a - b).map(([, counts]) => counts);
  const [interval] =
    clusterIntervals({
      clusters: cases,
      metrics: (kept) => [sum(kept, 'passed') / sum(kept, 'total')],
      random: seededRandom('judge'),
    }) ?? [];
  const rate = sum(cases, 'passed') / sum(cases, 'total');
  const trials = cases.flatMap(({ passed, total }, index) =>
    Array.from({ length: total }, (_, trial) => {
      return { cluster: String(index), weight: 1, influence: Number(trial < passed) - rate };
    }),
  );
  return { pass_rate_ci: interval ?? null, trials_worth: effectiveSize(trials) };
}

function sum(counts: readonly CountedRate[], key: keyof CountedRate): number {
  return counts.reduce((all, each) => all + each[key], 0);
}

type PanelJudge = NonNullable<Facts['panel']>['judges'][number];

/** By position, because two judges of a panel may be the same model. */
function countPairs(
  pairs: Map<string, { a: string; b: string; table: AgreementTable }>,
  judges: readonly PanelJudge[],
): void {
  for (const [first, a] of judges.entries()) {
    for (const [step, b] of judges.slice(first + 1).entries()) {
      const key = `${first} ${first + 1 + step}`;
      const pair = pairs.get(key) ?? { a: a.judge_model, b: b.judge_model, table: [0, 0, 0, 0] };
      pairs.set(key, pair);
      if (a.passed === null || b.passed === null) continue;
      if (a.passed) pair.table[b.passed ? 0 : 1] += 1;
      else pair.table[b.passed ? 2 : 3] += 1;
    }
  }
}
