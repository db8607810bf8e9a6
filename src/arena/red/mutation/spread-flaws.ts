import { areRelated, type InjectionSite } from './site/injection-site.ts';
import type { SeededChoice } from './site/seeded-choice.ts';

/**
 * The same flaws in an order in which every resource has the same chance to be flawed, however many flaws it could
 * have. Otherwise large resources, and those of certain types, would be flawed most of the time, and a guess would find
 * them. Of the flaws of one resource, one of a category that has not been chosen yet comes first; otherwise the order
 * is kept.
 */
export function spreadOverResources(
  groups: readonly (readonly InjectionSite[])[],
  choice: SeededChoice,
): InjectionSite[][] {
  const byResource = [...Map.groupBy(groups.flat(), ({ target }) => target.address).values()];
  // Of resources that belong together, only one is flawed, so each of them gets more lots.
  const lots = (queue: readonly InjectionSite[]) => byResource.filter((other) => isNear(queue, other)).length;
  const queues = choice.shuffled(byResource, lots);
  const categories = new Set<string>();
  const firsts = queues.map((queue) => {
    const first = queue.find(({ weakness }) => !categories.has(weakness.category)) ?? queue[0];
    if (first) categories.add(first.weakness.category);
    return first;
  });
  const longest = Math.max(0, ...queues.map(({ length }) => length));
  const rounds = Array.from({ length: longest }).flatMap((_, round) =>
    queues.flatMap((queue) => queue.slice(round, round + 1)),
  );
  const chosen = new Set(firsts);
  return [...firsts.flatMap((site) => site ?? []), ...rounds.filter((site) => !chosen.has(site))].map((site) => [site]);
}

function isNear([a]: readonly InjectionSite[], [b]: readonly InjectionSite[]): boolean {
  return a !== undefined && b !== undefined && areRelated(a.target, b.target);
}
