import { createMutationRed } from '../red/mutation/create-mutation-red.ts';
import { type RedTeam, TWIN_RED } from '../red/red-team.ts';

/**
 * The embedded Red's code before the flaws were planted, under the same manifest. Whatever a scanner "finds" of the
 * manifest here is a false alarm about exactly what is planted in the other game: the test case that is not vulnerable.
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
