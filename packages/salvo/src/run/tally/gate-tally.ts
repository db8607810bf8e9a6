import { readJudgement } from '../../judge/stored-judgement.ts';
import { type Groups, positiveMeanInterval, shareMeanInterval } from '../../stats/intervals/mean-interval.ts';
import { quantileInterval } from '../../stats/intervals/quantile-interval.ts';
import { wilsonInterval } from '../../stats/intervals/wilson-interval.ts';
import { mean, meetsThreshold, quantile } from '../../stats/mean.ts';
import { passAtK, passHatK } from '../../stats/pass-at-k.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { couldBeLuck, type GateResult } from '../record/gate-result.ts';
import type { FurtherGate, Gates } from '../verdict/gates.ts';

interface Estimate {
  value: number | null;
  interval: [number, number] | null;
  unknown?: GateResult['unknown'];
}

/** A value for each scored trial of a case; null if the trial has none. */
type Values = (number | null)[];

type CaseValues = ReturnType<typeof noValues>;

/** What the gates of a scenario need of its trials. Without gates beside the pass rate, nothing is kept of a trial. */
export function createGateTally(gates: Gates) {
  const cases = new Map<number, CaseValues>();
  const keepsNothing = gates.min_score === null && gates.further.length === 0;
  const criteria = gates.further.flatMap((gate) => (gate.gate === 'min_criteria' ? [gate] : []));
  return {
    /** A scored trial that counts. */
    add(trial: TrialResult): void {
      if (keepsNothing) return;
      const values = cases.get(trial.case_index) ?? noValues();
      cases.set(trial.case_index, values);
      values.total += 1;
      values.passed += trial.status === 'passed' ? 1 : 0;
      values.scores.push(trial.score);
      values.costs.push(trial.cost_usd);
      values.latencies.push(trial.latency_seconds);
      for (const gate of criteria) {
        const scores = values.criteria.get(gate) ?? [];
        values.criteria.set(gate, scores);
        scores.push(criterionScore(trial, gate));
      }
    },
    /**
     * In the order in which they decide. `isOneDraw`: all trials are the same, so they say nothing about others. `units`
     * is the number of scored trials, or of cases if there are several.
     */
    results(passRate: Estimate, { isOneDraw, units }: { isOneDraw: boolean; units: number }): GateResult[] {
      const all = [...cases].sort(([a], [b]) => a - b).map(([, values]) => values);
      const result = (gate: Pick<GateResult, 'gate' | 'of' | 'limit'>, estimate: Estimate): GateResult =>
        gateResult(
          gate,
          isOneDraw && gate.gate !== 'max_latency_seconds' ? { ...estimate, interval: null } : estimate,
          units,
        );
      const { min_pass_rate, min_score } = gates;
      return [
        result({ gate: 'min_pass_rate', of: null, limit: min_pass_rate }, passRate),
        ...(min_score === null
          ? []
          : [result({ gate: 'min_score', of: null, limit: min_score }, meanScore(all.map(({ scores }) => scores)))]),
        ...gates.further.map((gate) =>
          result({ gate: gate.gate, of: gateOf(gate), limit: gate.limit }, estimateOf(gate, all)),
        ),
      ];
    },
  };
}

function noValues() {
  const [scores, costs, latencies]: [Values, Values, Values] = [[], [], []];
  return { passed: 0, total: 0, scores, costs, latencies, criteria: new Map<FurtherGate, Values>() };
}

/** What distinguishes the gate from others of the same name. */
function gateOf(gate: FurtherGate): string | null {
  switch (gate.gate) {
    case 'min_pass_hat_k':
    case 'min_pass_at_k':
      return String(gate.k);
    case 'min_criteria':
      return gate.assertionId === null ? gate.criterion : `${gate.assertionId}: ${gate.criterion}`;
    case 'max_latency_seconds':
      return gate.quantile;
    case 'max_cost_usd':
      return null;
  }
}

function estimateOf(gate: FurtherGate, cases: readonly CaseValues[]): Estimate {
  if (cases.length === 0) return { value: null, interval: null, unknown: 'nothing_scored' };
  switch (gate.gate) {
    case 'min_pass_hat_k':
    case 'min_pass_at_k':
      return chance(gate, cases);
    case 'min_criteria': {
      const scores = cases.map(({ criteria }) => criteria.get(gate) ?? []);
      return meanScore(scores, 'no_criterion');
    }
    case 'max_cost_usd': {
      const groups = known(cases.map(({ costs }) => costs));
      if (!groups) return { value: null, interval: null, unknown: 'no_price' };
      return { value: mean(groups.flat()), interval: positiveMeanInterval(groups) };
    }
    case 'max_latency_seconds': {
      const q = gate.quantile === 'p50' ? 0.5 : 0.95;
      const groups = known(cases.map(({ latencies }) => latencies));
      if (!groups) return { value: null, interval: null, unknown: 'no_time' };
      const value = quantile(groups.flat(), q);
      return { value, interval: quantileInterval(groups, q), unknown: value === null ? 'nothing_scored' : null };
    }
  }
}

/** pass^k or pass@k: the mean over the cases. Every case needs k trials. */
function chance({ gate, k }: FurtherGate & { k: number }, cases: readonly CaseValues[]): Estimate {
  if (cases.some(({ total }) => total < k)) return { value: null, interval: null, unknown: 'too_few_trials' };
  const ofCase = gate === 'min_pass_hat_k' ? passHatK : passAtK;
  const chances = cases.map(({ total, passed }) => ofCase({ total, passed, k }));
  const value = mean(chances);
  const [only, ...others] = cases;
  if (!only || others.length > 0) return { value, interval: shareMeanInterval(chances.map((each) => [each])) };
  // Trials of one case are independent, so both chances follow from the pass rate.
  const ofRate = (rate: number): number => (gate === 'min_pass_hat_k' ? rate ** k : 1 - (1 - rate) ** k);
  const rates = wilsonInterval(only);
  if (!rates || value === null) return { value, interval: null };
  return { value, interval: [Math.min(value, ofRate(rates[0])), Math.max(value, ofRate(rates[1]))] };
}

/** Every case weighs the same, however many trials it has. */
function meanScore(scores: readonly Values[], unknown: GateResult['unknown'] = 'nothing_scored'): Estimate {
  const groups = known(scores)?.filter((group) => group.length > 0);
  const means = groups?.flatMap((group) => mean(group) ?? []) ?? [];
  const value = mean(means);
  if (!groups || value === null) return { value: null, interval: null, unknown };
  return { value, interval: shareMeanInterval(means.length < 2 ? groups : means.map((each) => [each])) };
}

/** Null if a value is unknown. */
function known(groups: readonly Values[]): Groups | null {
  const values = groups.map((group) => group.filter((value) => value !== null));
  return values.some((group, index) => group.length < (groups[index]?.length ?? 0)) ? null : values;
}

/**
 * The judge's score of a criterion. A scored trial that no judge saw, because the agent crashed, has a score of 0 and so
 * has its criteria. Null if the judge has no such criterion.
 */
function criterionScore(
  { eval_results }: TrialResult,
  { assertionId, criterion }: { assertionId: string | null; criterion: string },
): number | null {
  const judged = eval_results.filter(
    ({ assertion_type, assertion_id }) =>
      assertion_type === 'judge' && (assertionId === null || assertion_id === assertionId),
  );
  if (judged.length === 0) return eval_results.some(({ assertion_type }) => assertion_type === 'judge') ? null : 0;
  const criteria = judged.flatMap(({ metadata }) => readJudgement(metadata)?.per_criterion ?? []);
  return criteria.find(({ name }) => name === criterion)?.score ?? null;
}

function gateResult(
  gate: Pick<GateResult, 'gate' | 'of' | 'limit'>,
  { value, interval, unknown = null }: Estimate,
  units: number,
): GateResult {
  if (value === null)
    return { ...gate, value, interval: null, met: null, unknown: unknown ?? 'nothing_scored', needed: null };
  const met = gate.gate.startsWith('max_') ? meetsThreshold(gate.limit, value) : meetsThreshold(value, gate.limit);
  return { ...gate, value, interval, met, unknown: null, needed: unitsNeeded(gate, { value, interval, units }) };
}

/** More than this is no advice. */
const MOST_NEEDED = 100_000;

/** How many trials or cases would make the interval so narrow that it no longer contains the limit. */
function unitsNeeded(
  { gate, limit }: Pick<GateResult, 'gate' | 'limit'>,
  { value, interval, units }: { value: number; interval: [number, number] | null; units: number },
): number | null {
  if (!interval || !couldBeLuck({ gate, limit, interval })) return null;
  const distance = Math.abs(value - limit);
  const reach = limit > value ? interval[1] - value : value - interval[0];
  const needed = Math.ceil(units * (reach / distance) ** 2);
  return Number.isFinite(needed) && needed <= MOST_NEEDED ? Math.max(needed, units + 1) : null;
}
