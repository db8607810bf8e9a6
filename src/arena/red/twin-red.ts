import { createMutationRed } from './mutation/create-mutation-red.ts';
import type { RedTeam } from './red-team.ts';

/** As it is called in plans. */
export const TWIN_RED = 'mutation-twin';

/**
 * The embedded Red's code as it was before the flaws came in, under the same manifest. Whatever a scanner "finds" of it
 * is a false alarm about just the thing that is planted in the other game: the test case that is not vulnerable.
 */
export function createTwinRed(red: RedTeam = createMutationRed()): RedTeam {
  return {
    name: TWIN_RED,
    async generate(request) {
      const outcome = await red.generate(request);
      return { ...outcome, files: outcome.metadata.twin ?? outcome.files };
    },
  };
}
