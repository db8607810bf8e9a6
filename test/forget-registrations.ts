import { afterAll } from 'vitest';
import { processWideMap } from '../src/adapters/process-wide.ts';
import { registeredAdapters } from '../src/adapters/registered-adapters.ts';

// Test files share the modules of their process, and must not see each other's adapters and assertion types.
afterAll(() => {
  registeredAdapters.clear();
  const types = processWideMap('assertion-types');
  for (const type of types.keys()) processWideMap('evaluators').delete(type);
  types.clear();
});
