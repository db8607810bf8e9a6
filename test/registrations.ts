import { registeredAdapters } from '../packages/salvo/src/adapters/registered-adapters.ts';
import { permitAllCode } from '../packages/salvo/src/text/modules/permitted-code.ts';
import { processWideMap } from '../packages/salvo/src/text/process-wide.ts';

/** What modules registered in this process, and what workers in it may execute, is forgotten, as in a new process. */
export function forgetRegistrations(): void {
  registeredAdapters.clear();
  const types = processWideMap('assertion-types');
  for (const type of types.keys()) processWideMap('evaluators').delete(type);
  types.clear();
  processWideMap('extensions').clear();
  permitAllCode();
}
