import type { Severity } from '../../../match/claims/severity.ts';
import type { Strategy } from '../../game-settings.ts';
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
 * One site of each category, then one more of each; in a category, one of each operator first. Severe flaws come up
 * more often, since games about minor ones say little about a Blue Team.
 */
function categoriesInTurn(sites: readonly InjectionSite[], choice: SeededChoice): InjectionSite[] {
  const categories = Map.groupBy(choice.shuffled(sites, weightOf), ({ weakness }) => weakness.category);
  const queues = [...categories.values()].map((all) => inTurnBy(all, ({ operator }) => operator.id));
  return roundRobin(choice.shuffled(queues, (queue) => Math.max(0, ...queue.map(weightOf))));
}

const WEIGHTS: Readonly<Record<Severity, number>> = { critical: 8, high: 8, medium: 4, low: 1, info: 0.5 };

function weightOf({ weakness }: InjectionSite): number {
  return WEIGHTS[weakness.severity];
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
