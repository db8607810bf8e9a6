import { scenarioJudges } from '../../judge/scenario-judges.ts';
import { type FurtherGates, GATE_KEYS } from '../../scenario/schema/gate-schema.ts';
import type { ProjectConfig } from '../../scenario/schema/project-schema.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import type { RunRecord } from '../record/run-record.ts';

/** What the trials of a scenario must reach together. */
export interface Gates {
  /** The share of the scored trials that must pass. */
  min_pass_rate: number;
  /** The mean score, in addition; null for no minimum. */
  min_score: number | null;
  further: readonly FurtherGate[];
}

export type FurtherGate =
  | { gate: 'min_pass_hat_k' | 'min_pass_at_k'; k: number; limit: number }
  /** Without the id of a judge, only one judge of the scenario has the criterion. */
  | { gate: 'min_criteria'; assertionId: string | null; criterion: string; limit: number }
  | { gate: 'max_cost_usd'; limit: number }
  | { gate: 'max_latency_seconds'; quantile: 'p50' | 'p95'; limit: number };

const DEFAULT_PASS_RATE = 1;

type GateFields = Pick<Scenario, (typeof GATE_KEYS)[number]>;

/** The scenario as a run records it: where its file has no gate of its own, that of `defaults` in salvo.yaml. */
export function withProjectGates(scenario: Scenario, { defaults }: Pick<ProjectConfig, 'defaults'>): Scenario {
  const inherited: GateFields = { ...defaults, min_criteria: criteriaOf(scenario, defaults.min_criteria) };
  const missing = GATE_KEYS.filter((key) => scenario[key] === undefined && inherited[key] !== undefined);
  return { ...scenario, ...Object.fromEntries(missing.map((key) => [key, inherited[key]])) };
}

/** The gates of a recorded scenario: the flags of its run, or else its own. */
export function scenarioGates(
  options: Pick<RunRecord['options'], 'min_pass_rate' | 'min_score'>,
  scenario: GateFields,
): Gates {
  return {
    min_pass_rate: options.min_pass_rate ?? scenario.min_pass_rate ?? DEFAULT_PASS_RATE,
    min_score: options.min_score ?? scenario.min_score ?? null,
    further: furtherGates(scenario),
  };
}

/** Whether somebody said how good the trials must be. Limits of costs and times say nothing about this. */
export function hasQualityGate(
  options: Pick<RunRecord['options'], 'min_pass_rate' | 'min_score'>,
  scenario: GateFields,
): boolean {
  if (options.min_pass_rate !== null || options.min_score !== null) return true;
  return GATE_KEYS.some((key) => key.startsWith('min_') && scenario[key] !== undefined);
}

function furtherGates(scenario: FurtherGates): FurtherGate[] {
  const {
    min_pass_hat_k = [],
    min_pass_at_k = [],
    min_criteria = {},
    max_cost_usd,
    max_latency_seconds = {},
  } = scenario;
  const criteria = Object.entries(min_criteria).flatMap(([name, limit]): FurtherGate[] => {
    const gate = 'min_criteria';
    if (typeof limit === 'number') return [{ gate, assertionId: null, criterion: name, limit }];
    return Object.entries(limit).map(([criterion, least]) => {
      return { gate, assertionId: name, criterion, limit: least };
    });
  });
  return [
    ...min_pass_hat_k.map(({ k, rate }): FurtherGate => ({ gate: 'min_pass_hat_k', k, limit: rate })),
    ...min_pass_at_k.map(({ k, rate }): FurtherGate => ({ gate: 'min_pass_at_k', k, limit: rate })),
    ...criteria,
    ...(max_cost_usd === undefined ? [] : [{ gate: 'max_cost_usd' as const, limit: max_cost_usd }]),
    ...(['p50', 'p95'] as const).flatMap((quantile): FurtherGate[] => {
      const limit = max_latency_seconds[quantile];
      return limit === undefined ? [] : [{ gate: 'max_latency_seconds', quantile, limit }];
    }),
  ];
}

/** Of a project's minimums those for criteria that the scenario has: its scenarios need not share a rubric. */
function criteriaOf(scenario: Scenario, given: FurtherGates['min_criteria']): FurtherGates['min_criteria'] {
  if (!given) return undefined;
  const judges = scenarioJudges(scenario, undefined).map(({ assertion: { id, criteria = [] } }) => {
    return { id, names: criteria.map(({ name }) => name) };
  });
  const isKnown = (criterion: string, id: string | null) =>
    judges.some((judge) => (id === null || judge.id === id) && judge.names.includes(criterion));
  const kept = Object.entries(given).flatMap(([name, limit]): [string, number | Record<string, number>][] => {
    if (typeof limit === 'number') return isKnown(name, null) ? [[name, limit]] : [];
    const inner = Object.entries(limit).filter(([criterion]) => isKnown(criterion, name));
    return inner.length === 0 ? [] : [[name, Object.fromEntries(inner)]];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
