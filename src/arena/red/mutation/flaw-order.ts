import type { Strategy } from '../../game-settings.ts';
import { templatesWith } from '../operators/weakness-rarity.ts';
import { chainedPairs } from './chained-pairs.ts';
import type { SecureTemplate } from './secure-template.ts';
import type { InjectionSite } from './site/injection-site.ts';
import type { SeededChoice } from './site/seeded-choice.ts';

/** The order in which flaws are tried until enough are planted. A group is planted as a whole or not at all. */
export function flawOrder(
  secure: SecureTemplate,
  { strategy, category }: { strategy: Strategy; category?: string | undefined },
  choice: SeededChoice,
): InjectionSite[][] {
  const { sites } = secure;
  if (strategy === 'chained') return chainedPairs(secure, choice);
  if (strategy === 'stealth') return singleGroups(stealthiestFirst(sites, choice));
  const wanted =
    strategy === 'targeted' ? sites.filter(({ weakness }) => isInCategory(weakness.category, category)) : sites;
  return singleGroups(categoriesInTurn(wanted, choice));
}

/** How many flaws a game has when the request does not say. */
export function usualCount(strategy: Strategy, choice: SeededChoice): number {
  if (strategy === 'blitz') return choice.between(8, 12);
  return strategy === 'chained' ? 2 * choice.between(1, 2) : choice.between(3, 5);
}

/** `encryption` is `encryption_at_rest` and `encryption_in_transit`. */
export function isInCategory(category: string, wanted: string | undefined): boolean {
  return wanted !== undefined && (category === wanted || category.startsWith(`${wanted}_`));
}

function singleGroups(sites: readonly InjectionSite[]): InjectionSite[][] {
  return sites.map((site) => [site]);
}

/**
 * One site of each category, then one more of each. In a category, one of each weakness first, and one of each operator
 * before a second one. A weakness that few templates have is drawn more often where there is one, so that over many
 * games all weaknesses come up about equally often, and a category as often as it has weaknesses.
 */
function categoriesInTurn(sites: readonly InjectionSite[], choice: SeededChoice): InjectionSite[] {
  const byWeakness = Map.groupBy(choice.shuffled(sites), ({ weakness }) => weakness.id);
  const queues = [...byWeakness.values()].map((all) => inTurnBy(all, ({ operator }) => operator.id));
  const categories = Map.groupBy(choice.shuffled(queues, rarityOf), ([first]) => first?.weakness.category);
  const weightOf = (all: readonly (readonly InjectionSite[])[]) => all.reduce((sum, one) => sum + rarityOf(one), 0);
  return roundRobin(choice.shuffled([...categories.values()], weightOf).map((all) => roundRobin(all)));
}

/** Of sites for one weakness. */
function rarityOf([site]: readonly InjectionSite[]): number {
  return site ? 1 / templatesWith(site.weakness.id, site.operator.language) : 0;
}

/** Flaws that the fewest scanners have a rule for come first. */
function stealthiestFirst(sites: readonly InjectionSite[], choice: SeededChoice): InjectionSite[] {
  const known = ({ weakness }: InjectionSite) =>
    SCANNERS.filter((name) => (weakness.rules[name] ?? []).length > 0).length;
  const levels = Map.groupBy(choice.shuffled(sites), known);
  return [...levels].sort(([a], [b]) => a - b).flatMap(([, all]) => inTurnBy(all, ({ operator }) => operator.id));
}

const SCANNERS = ['checkov', 'trivy', 'kics', 'tfsec', 'semgrep', 'snyk'] as const;

function inTurnBy<T>(items: readonly T[], by: (item: T) => string): T[] {
  return roundRobin([...Map.groupBy(items, by).values()]);
}

function roundRobin<T>(queues: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...queues.map(({ length }) => length));
  return Array.from({ length: longest }).flatMap((_, round) =>
    queues.flatMap((queue) => queue.slice(round, round + 1)),
  );
}
