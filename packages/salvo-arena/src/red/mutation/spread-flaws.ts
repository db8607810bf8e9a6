import { createSeededChoice, type SeededChoice } from '../../templates/seeded-choice.ts';
import { templatesWith } from '../operators/weakness-rarity.ts';
import type { InjectionSite } from './site/injection-site.ts';

/** 0: every resource has the same chance. 1: every weakness has. Between them, both are nearly so. */
const RARITY_OF_RESOURCES = 0.05;
/** A flaw of a category, or of a kind, that the game has already is so much less likely to be chosen. */
const REPEATED_CATEGORY = 0.5;
const REPEATED_WEAKNESS = 0.05;

/**
 * Flaws in the order in which they are tried. Every resource has about the same chance to be flawed, however many flaws
 * it could have. Otherwise large resources, and those of certain types, would be flawed most of the time, and a guess
 * would find them. Of the flaws of one resource, a rare one is the most likely, so that all weaknesses get their turn.
 * `turnOf` is a number from 0 to 1 for a resource. If it moves evenly from game to game, so do the weaknesses: drawn
 * independently, a resource with many weaknesses would repeat some before it had shown them all.
 */
export function spreadOverResources(
  sites: readonly InjectionSite[],
  choice: SeededChoice,
  turnOf: (address: string) => number,
): InjectionSite[][] {
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
    const first = atTurn(own, weight, turnOf(own[0]?.target.address ?? ''));
    const others = choice.shuffled(own, weight).filter((site) => site !== first);
    if (first) used.add(first.weakness.category).add(first.weakness.id);
    return [...(first ? [first] : []), ...others].map((site) => [site]);
  });
}

/** The item at a share of the way through all weights. */
function atTurn<T>(items: readonly T[], weight: (item: T) => number, turn: number): T | undefined {
  const total = items.reduce((sum, item) => sum + weight(item), 0);
  let before = 0;
  return items.find((item) => {
    before += weight(item);
    return before > turn * total;
  });
}

/** Multiples of it, without their whole part, are spread evenly however many there are: the golden ratio. */
const EVEN_STEP = (Math.sqrt(5) - 1) / 2;

/** The turn of each resource in the game with this seed. */
export function evenTurns(seed: number, ...parts: string[]): (address: string) => number {
  return (address) =>
    (createSeededChoice('turn', address, ...parts).between(0, FINE) / FINE + Math.abs(seed) * EVEN_STEP) % 1;
}

const FINE = 2 ** 30;

function rarity({ weakness, operator }: InjectionSite): number {
  return 1 / templatesWith(weakness.id, operator.language);
}
