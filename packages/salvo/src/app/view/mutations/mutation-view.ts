import type { MutateDocument } from '../../../mutate/mutate-document.ts';
import { mutationsOf } from '../../../store/mutation-tables.ts';
import type { Store } from '../../../store/store.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';

/** A result of `salvo mutate`, as the list of them shows it. */
export type MutationLine = Pick<
  MutateDocument,
  'mutation_id' | 'run_id' | 'created_at' | 'score' | 'strictness' | 'mutants' | 'judges' | 'gate'
> & { scenarios: string[]; new_survivors: number | null };

const MOST_LISTED = 200;

/** The newest first. None if the store has no such table and cannot get one. */
export async function mutationLines(store: Store | null): Promise<MutationLine[]> {
  if (store === null) return [];
  const found = await mutationsOf(store).listMutations(MOST_LISTED);
  return found.map((each) => ({
    mutation_id: each.mutation_id,
    run_id: each.run_id,
    created_at: each.created_at,
    score: each.score,
    strictness: each.strictness,
    mutants: each.mutants,
    judges: each.judges,
    gate: each.gate,
    scenarios: each.scenarios.map(({ name }) => name),
    new_survivors: each.compared?.new_survivors.length ?? null,
  }));
}

export async function mutationView(store: Store, mutationId: string): Promise<MutateDocument> {
  const found = await mutationsOf(store).getMutation(mutationId);
  if (found) return found;
  throw new SalvoError('RUN_UNKNOWN', `There is no result ${mutationId} of salvo mutate.`);
}
