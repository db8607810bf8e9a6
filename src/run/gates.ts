import type { ProjectConfig } from '../scenario/schema/project-schema.ts';
import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import type { RunRecord } from './run-record.ts';

/** What the trials of a scenario must reach together. */
export interface Gates {
  /** The share of the scored trials that must pass. */
  min_pass_rate: number;
  /** The mean score, in addition; null for no minimum. */
  min_score: number | null;
}

const DEFAULT_PASS_RATE = 1;

/** The scenario as a run records it: where its file has no minimum of its own, that of `defaults` in salvo.yaml. */
export function withProjectGates(scenario: Scenario, { defaults }: Pick<ProjectConfig, 'defaults'>): Scenario {
  const minPassRate = scenario.min_pass_rate ?? defaults.min_pass_rate;
  const minScore = scenario.min_score ?? defaults.min_score;
  return {
    ...scenario,
    ...(minPassRate === undefined ? {} : { min_pass_rate: minPassRate }),
    ...(minScore === undefined ? {} : { min_score: minScore }),
  };
}

/** The minimums of a recorded scenario: the flags of its run, or else its own. */
export function scenarioGates(
  options: Pick<RunRecord['options'], keyof Gates>,
  scenario: Pick<Scenario, keyof Gates>,
): Gates {
  return {
    min_pass_rate: options.min_pass_rate ?? scenario.min_pass_rate ?? DEFAULT_PASS_RATE,
    min_score: options.min_score ?? scenario.min_score ?? null,
  };
}
