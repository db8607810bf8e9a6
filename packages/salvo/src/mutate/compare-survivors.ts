import type { MutateDocument } from './mutate-document.ts';
import type { TriedMutant } from './try-mutants.ts';

type Compared = NonNullable<MutateDocument['compared']>;

/** Which mutants survive now and did not before, and the other way round. Of the scenarios that both have. */
export function compareSurvivors(mutants: readonly TriedMutant[], before: MutateDocument): Compared {
  const scenarios = new Set(before.scenarios.map(({ name }) => name));
  const survivors = mutants.filter(({ outcome }) => outcome === 'survived');
  const keysNow = new Set(survivors.map(({ key }) => key));
  const keysThen = new Set(before.survivors.map(({ key }) => key));
  const isUnknown = before.not_listed.survivors > 0;
  const outcomeOf = (key: string): Compared['gone_survivors'][number]['now'] => {
    const same = mutants.filter((each) => each.key === key);
    if (same.length === 0) return 'not_tried';
    return same.some(({ outcome }) => outcome === 'noticed') ? 'noticed' : 'unscored';
  };
  const fresh = survivors.filter(({ key, original }) => scenarios.has(original.name) && !keysThen.has(key));
  const own = new Set(mutants.map(({ original }) => original.name));
  return {
    mutation_id: before.mutation_id,
    created_at: before.created_at,
    score: before.score?.value ?? null,
    new_survivors: isUnknown ? [] : [...new Set(fresh.map(({ key }) => key))],
    gone_survivors: before.survivors
      .filter(({ key, scenario }) => own.has(scenario) && !keysNow.has(key))
      .map(({ key }) => ({ key, now: outcomeOf(key) })),
  };
}
