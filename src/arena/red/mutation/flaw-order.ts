import type { Severity } from '../../../match/claims/severity.ts';
import type { Strategy } from '../../game-settings.ts';
import { chainedPairs } from './chained-pairs.ts';
import type { Opening } from './injection-site.ts';
import type { SecureTemplate } from './secure-template.ts';
import type { Draw } from './seeded-choice.ts';

/** In which order flaws are tried, until enough are planted. Those of one group are planted together or not at all. */
export function flawOrder(
  secure: SecureTemplate,
  { strategy, category }: { strategy: Strategy; category?: string | undefined },
  draw: Draw,
): Opening[][] {
  const { openings } = secure;
  if (strategy === 'chained') return chainedPairs(secure, draw);
  if (strategy === 'stealth') return alone(stealthiest(openings, draw));
  const wanted =
    strategy === 'targeted' ? openings.filter(({ weakness }) => isIn(weakness.category, category)) : openings;
  return alone(inTurn(wanted, draw));
}

/** How many flaws a game has when nobody says. */
export function usualCount(strategy: Strategy, draw: Draw): number {
  if (strategy === 'blitz') return draw.between(8, 12);
  return strategy === 'chained' ? 2 * draw.between(1, 2) : draw.between(3, 5);
}

/** `encryption` is `encryption_at_rest` and `encryption_in_transit`. */
export function isIn(category: string, wanted: string | undefined): boolean {
  return wanted !== undefined && (category === wanted || category.startsWith(`${wanted}_`));
}

function alone(openings: readonly Opening[]): Opening[][] {
  return openings.map((opening) => [opening]);
}

/**
 * One of each category, then one more of each; in a category one of each operator first. What is severe comes up more
 * often: a game about the waiting time of keys tells nobody much.
 */
function inTurn(openings: readonly Opening[], draw: Draw): Opening[] {
  const categories = Map.groupBy(draw.shuffled(openings, weightOf), ({ weakness }) => weakness.category);
  const queues = [...categories.values()].map((all) => dealt(all, ({ operator }) => operator.id));
  return dealtFrom(draw.shuffled(queues, (queue) => Math.max(0, ...queue.map(weightOf))));
}

const WEIGHTS: Readonly<Record<Severity, number>> = { critical: 8, high: 8, medium: 4, low: 1, info: 0.5 };

function weightOf({ weakness }: Opening): number {
  return WEIGHTS[weakness.severity];
}

/** Fewest scanners with a rule for it first. */
function stealthiest(openings: readonly Opening[], draw: Draw): Opening[] {
  const known = ({ weakness }: Opening) => SCANNERS.filter((name) => (weakness.rules[name] ?? []).length > 0).length;
  const levels = Map.groupBy(draw.shuffled(openings), known);
  return [...levels].sort(([a], [b]) => a - b).flatMap(([, all]) => dealt(all, ({ operator }) => operator.id));
}

const SCANNERS = ['checkov', 'trivy', 'kics', 'tfsec', 'semgrep', 'snyk'] as const;

function dealt<T>(items: readonly T[], by: (item: T) => string): T[] {
  return dealtFrom([...Map.groupBy(items, by).values()]);
}

function dealtFrom<T>(queues: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...queues.map(({ length }) => length));
  return Array.from({ length: longest }).flatMap((_, round) =>
    queues.flatMap((queue) => queue.slice(round, round + 1)),
  );
}
