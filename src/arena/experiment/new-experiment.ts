import { randomInt } from 'node:crypto';
import { thisProcess } from '../../queue/owner.ts';
import { salvoVersion } from '../../text/salvo-version.ts';
import type { ExperimentRecord } from './experiment-record.ts';
import { type ExperimentPlan, gamesPlanned } from './plan/experiment-plan.ts';

const LETTERS = '23456789abcdefghjkmnpqrstvwxyz';

/** The record of an experiment that begins now, in this process. */
export function newExperiment(plan: ExperimentPlan, kind: ExperimentRecord['kind'] = 'matrix'): ExperimentRecord {
  return {
    // As for runs: letters and digits that cannot be mistaken for each other.
    experiment_id: Array.from({ length: 10 }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
    kind,
    name: plan.name,
    created_at: new Date().toISOString(),
    finished_at: null,
    status: 'running',
    stop_reason: null,
    games_planned: gamesPlanned(plan),
    salvo_version: salvoVersion(),
    plan,
    owner: thisProcess(),
  };
}
