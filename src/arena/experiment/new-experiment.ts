import { newId } from '../../queue/new-id.ts';
import { thisProcess } from '../../queue/owner.ts';
import { SalvoError } from '../../text/salvo-error.ts';
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

/** Another version may make different code from the same seed, or score it differently: the games would not compare. */
export function refuseOtherVersion({ experiment_id, salvo_version }: ExperimentRecord, version: string): void {
  if (salvo_version === version) return;
  throw new SalvoError(
    'EXPERIMENT_OTHER_VERSION',
    `Experiment ${experiment_id} was started with Salvo ${salvo_version}, and this is ${version}: its games would not compare. Resume it with that version, or start a new experiment; --show shows the stored games.`,
  );
}
