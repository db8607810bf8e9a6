import { newId } from '../../queue/new-id.ts';
import { thisProcess } from '../../queue/owner.ts';
import { salvoVersion } from '../../text/salvo-version.ts';
import type { ExperimentRecord } from './experiment-record.ts';
import { type ExperimentPlan, gamesPlanned } from './plan/experiment-plan.ts';

/** The record of an experiment that begins now, in this process. */
export function newExperiment(plan: ExperimentPlan, kind: ExperimentRecord['kind'] = 'matrix'): ExperimentRecord {
  return {
    experiment_id: newId(),
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
