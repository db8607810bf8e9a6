import { SalvoError } from '../../text/salvo-error.ts';
import type { ExperimentRecord } from './experiment-record.ts';

/** Another version may make different code from the same seed, or score it differently: the games would not compare. */
export function refuseOtherVersion({ experiment_id, salvo_version }: ExperimentRecord, version: string): void {
  if (salvo_version === version) return;
  throw new SalvoError(
    'EXPERIMENT_OTHER_VERSION',
    `Experiment ${experiment_id} was started with Salvo ${salvo_version}, and this is ${version}: its games would not compare. Resume it with that version, or start a new experiment; --show shows the stored games.`,
  );
}
