import { scenarioCases } from '../scenario/cases/scenario-cases.ts';
import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import type { RunRecord } from './run-record.ts';

/** A case of a scenario, as a run plans it. */
export interface PlannedCase {
  /** Position among the rows; 0 in a scenario without data. */
  index: number;
  /** Null in a scenario without data. */
  name: string | null;
  /** How many trials it gets; 0 if it is skipped. */
  trials: number;
  /** Why it does not run; null if it runs. */
  skip: string | null;
  /** The numbers of its trials, if they are not 1, 2, 3...: a shard has every n-th. */
  numbers?: { first: number; step: number };
}

const DEFAULT_TRIALS = 3;

/**
 * The cases of a scenario that belong to a run, skipped ones included. The number of trials is that of the command line,
 * else of the row, else of the scenario.
 */
export function plannedCases(
  scenario: Scenario,
  { options, chosen }: { options: Pick<RunRecord['options'], 'trials'>; chosen: readonly number[] | null },
): PlannedCase[] {
  const cases = scenarioCases(scenario);
  const indices = chosen ?? Array.from({ length: cases.count }, (_, index) => index);
  return indices.map((index) => {
    const fields = cases.fieldsOf(index);
    const skip = fields?.skip ?? null;
    const trials = options.trials ?? fields?.trials ?? scenario.trials ?? DEFAULT_TRIALS;
    return { index, name: fields?.name ?? null, trials: skip === null ? trials : 0, skip };
  });
}

export function plannedTrials(cases: readonly PlannedCase[]): number {
  return cases.reduce((sum, { trials }) => sum + trials, 0);
}

/** The number of a trial, by its position among the trials of its case, counted from 0. */
export function trialNumberAt({ numbers = { first: 1, step: 1 } }: PlannedCase, position: number): number {
  return numbers.first + position * numbers.step;
}

const MOST_TRIALS_OF_A_CASE = 2 ** 20;

/** One number for the trial of a case, in order of cases and then of trials. */
export function trialKey(caseIndex: number, trialNumber: number): number {
  return caseIndex * MOST_TRIALS_OF_A_CASE + trialNumber;
}

export function readTrialKey(key: number): { caseIndex: number; trialNumber: number } {
  return { caseIndex: Math.floor(key / MOST_TRIALS_OF_A_CASE), trialNumber: key % MOST_TRIALS_OF_A_CASE };
}
