import { everyAssertion, isHeldOut } from '../../scenario/cases/case-fields.ts';
import { scenarioCases } from '../../scenario/cases/scenario-cases.ts';
import { isInQuarantine, type Quarantine } from '../../scenario/schema/quarantine-schema.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { seededRandom } from '../../stats/seeded-random.ts';
import type { RunOptions } from './run-record.ts';

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
  /** Of its row or of the scenario, also if it is over. */
  quarantine: Quarantine | null;
  /** Whether it runs only with `--holdout`; missing if no row of the scenario is held out. */
  heldOut?: boolean;
}

const DEFAULT_TRIALS = 3;

/**
 * The cases of a scenario that belong to a run, skipped ones included. The number of trials is that of the command line,
 * else of the row, else of the scenario.
 */
export function plannedCases(
  scenario: Scenario,
  { options, chosen }: { options: Pick<RunOptions, 'trials'>; chosen: readonly number[] | null },
): PlannedCase[] {
  const cases = scenarioCases(scenario);
  const indices = chosen ?? Array.from({ length: cases.count }, (_, index) => index);
  return indices.map((index) => {
    const fields = cases.fieldsOf(index);
    const skip = fields?.skip ?? null;
    const trials = options.trials ?? fields?.trials ?? scenario.trials ?? DEFAULT_TRIALS;
    // That of the scenario is for all its cases, so the later of the two holds.
    const quarantine = later(scenario.quarantine, fields?.quarantine);
    const held =
      scenario.holdout === undefined ? {} : { heldOut: isHeldOut(cases.rowOf(index) ?? {}, scenario.holdout) };
    return { index, name: fields?.name ?? null, trials: skip === null ? trials : 0, skip, quarantine, ...held };
  });
}

/** Whether nothing of a scenario is judged: no run is that is only recorded, and no scenario without assertions that is only looked at. */
export function isOnlyRecorded(
  { record_only, look }: Pick<RunOptions, 'record_only' | 'look'>,
  scenario: Scenario,
): boolean {
  return record_only || (look === true && everyAssertion(scenario).length === 0);
}

function later(a: Quarantine | undefined, b: Quarantine | null | undefined): Quarantine | null {
  if (!a || !b) return a ?? b ?? null;
  return a.until >= b.until ? a : b;
}

/**
 * The cases that decide the verdict of a run that began at this time: those that are not in quarantine. If all are, none
 * is left out, because then the whole scenario is no part of the verdict of its run.
 */
export function countedCases(
  cases: readonly PlannedCase[],
  startedAt: string,
): { counted: PlannedCase[]; isQuarantined: boolean } {
  const running = cases.filter(({ skip }) => skip === null);
  const counted = running.filter(({ quarantine }) => !quarantine || !isInQuarantine(quarantine, startedAt));
  if (counted.length === 0 && running.length > 0) return { counted: running, isQuarantined: true };
  return { counted, isQuarantined: false };
}

/** Whether a case of a scenario was in quarantine when a run began. */
export function quarantinedAt(scenario: Scenario, startedAt: string): (caseIndex: number) => boolean {
  const cases = scenarioCases(scenario);
  return (caseIndex) => {
    const quarantine = later(scenario.quarantine, cases.fieldsOf(caseIndex)?.quarantine);
    return quarantine !== null && isInQuarantine(quarantine, startedAt);
  };
}

/** Cases in the order in which a run that goes on until it is decided begins them: by chance, but always the same. */
export function inLookOrder<Case>(cases: readonly Case[], nameOf: (each: Case) => string | null): Case[] {
  return cases
    .map((each) => ({ each, at: seededRandom('look order', nameOf(each) ?? '')() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ each }) => each);
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
