import { SalvoError } from '../../text/salvo-error.ts';
import type { ExperimentRecord } from './experiment-record.ts';

/** Another version may make other code from the same seed, or score it otherwise: half an experiment of each is none. */
export function refuseOtherVersion({ experiment_id, salvo_version }: ExperimentRecord, version: string): void {
  if (salvo_version === version) return;
  throw new SalvoError(
    'EXPERIMENT_OTHER_VERSION',
    `Experiment ${experiment_id} was begun with Salvo ${salvo_version}, and this is ${version}: its games would not compare. Resume it with that version, or play it anew; --show shows what there is.`,
  );
}
