import { processWideMap } from '../src/adapters/process-wide.ts';
import { registeredAdapters } from '../src/adapters/registered-adapters.ts';

/** What modules registered in this process is gone, as it is in a new process. */
export function forgetRegistrations(): void {
  registeredAdapters.clear();
  const types = processWideMap('assertion-types');
  for (const type of types.keys()) processWideMap('evaluators').delete(type);
  types.clear();
}
