import { faultyScenario } from '../../scenario/faults/faulty-scenario.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import type { RunRecord } from './run-record.ts';

/** A scenario of a run, loaded from its file again, with the faults that the run gave it. */
export function withFaultsOfRun(
  loaded: LoadedScenario,
  { options: { faults } }: Pick<RunRecord, 'options'>,
  index: number,
): LoadedScenario {
  return faults ? faultyScenario(loaded, { list: faults.list, variant: faults.variants?.[index] }) : loaded;
}
