import { templatesWith } from '../operators/weakness-rarity.ts';
import type { InjectionSite } from './site/injection-site.ts';
import type { SeededChoice } from './site/seeded-choice.ts';

/** 0: every resource has the same chance. 1: every weakness has. Between them, both are nearly so. */
const RARITY_OF_RESOURCES = 0.05;
/** A flaw of a category, or of a kind, that the game has already is so much less likely to be chosen. */
const REPEATED_CATEGORY = 0.5;
const REPEATED_WEAKNESS = 0.05;

/**
 * Flaws in the order in which they are tried. Every resource has about the same chance to be flawed, however many flaws
 * it could have. Otherwise large resources, and those of certain types, would be flawed most of the time, and a guess
 * would find them. Of the flaws of one resource, a rare one is the most likely, so that all weaknesses get their turn.
 */
export function spreadOverResources(sites: readonly InjectionSite[], choice: SeededChoice): InjectionSite[][] {
  const byResource = [...Map.groupBy(sites, ({ target }) => target.address).values()];
  const resources = choice.shuffled(byResource, (own) => Math.max(...own.map(rarity)) ** RARITY_OF_RESOURCES);
  const used = new Set<string>();
  const weight = (site: InjectionSite) =>
    rarity(site) *
    (used.has(site.weakness.category) ? REPEATED_CATEGORY : 1) *
    (used.has(site.weakness.id) ? REPEATED_WEAKNESS : 1);
  // All flaws of a resource, then those of the next one: a resource whose first flaw cannot be hidden gets another one,
  // and is not skipped.
  return resources.flatMap((own) => {
    const queue = choice.shuffled(own, weight);
    const [first] = queue;
    if (first) used.add(first.weakness.category).add(first.weakness.id);
    return queue.map((site) => [site]);
  });
}

function rarity({ weakness, operator }: InjectionSite): number {
  return 1 / templatesWith(weakness.id, operator.language);
}
