import type { Strategy } from '../../tasks/game-settings.ts';
import type { SeededChoice } from '../../templates/seeded-choice.ts';
import { templatesWith } from '../operators/weakness-rarity.ts';
import type { SecureTemplate } from './secure-template.ts';
import { areRelated, type InjectionSite } from './site/injection-site.ts';

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
  return singleGroups(weaknessesInTurn(wanted, choice));
}

/** How many flaws a game has when the request does not say: a share of its resources, by default a small one. */
export function usualCount(
  { strategy, density }: { strategy: Strategy; density?: number | undefined },
  { resources }: Pick<SecureTemplate, 'resources'>,
  choice: SeededChoice,
): number {
  // Always drawn, so that an option changes nothing else.
  const drawn = choice.between(...DENSITIES[strategy]) / 10;
  const count = Math.max(2, Math.round((resources.length * (density ?? drawn)) / 100));
  return strategy === 'chained' ? 2 * Math.ceil(count / 2) : count;
}

const USUAL = [60, 140] as const;

/** In tenths of a percent of all resources. */
const DENSITIES: Readonly<Record<Strategy, readonly [number, number]>> = {
  balanced: USUAL,
  targeted: USUAL,
  stealth: USUAL,
  chained: [50, 100],
  blitz: [180, 250],
};

/** `encryption` is `encryption_at_rest` and `encryption_in_transit`. */
export function isInCategory(category: string, wanted: string | undefined): boolean {
  return wanted !== undefined && (category === wanted || category.startsWith(`${wanted}_`));
}

function singleGroups(sites: readonly InjectionSite[]): InjectionSite[][] {
  return sites.map((site) => [site]);
}

/**
 * One site of each weakness, then one more of each. A weakness that few templates have comes early where there is a
 * place for it, so that over many games all weaknesses come up about equally often. The second weakness of a category
 * has to wait longer, and the third much longer, so that a game has several categories.
 */
function weaknessesInTurn(sites: readonly InjectionSite[], choice: SeededChoice): InjectionSite[] {
  const byWeakness = Map.groupBy(choice.shuffled(sites), ({ weakness }) => weakness.id);
  const waiting = [...byWeakness.values()].map((all) => {
    const [first] = all;
    const rate = first ? 1 / templatesWith(first.weakness.id, first.operator.language) : 1;
    // Exponential waiting times: what has twice the rate is twice as likely to come first.
    const wait = -Math.log(choice.between(1, FINE) / FINE) / rate;
    return { category: first?.weakness.category, wait, queue: inTurnBy(all, ({ operator }) => operator.id) };
  });
  const byCategory = Map.groupBy(waiting.sort(byWait), ({ category }) => category);
  const delayed = [...byCategory.values()].flatMap((all) =>
    all.map((one, before) => ({ ...one, wait: one.wait * (before + 1) ** 3 })),
  );
  return roundRobin(delayed.sort(byWait).map(({ queue }) => queue));
}

const FINE = 2 ** 30;

function byWait(a: { wait: number }, b: { wait: number }): number {
  return a.wait - b.wait;
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

/** Which categories make a flaw worse: an intruder finds unencrypted data, an unlogged one goes unnoticed. */
const WORSE_WITH: Readonly<Record<string, readonly string[]>> = {
  public_access: ['encryption_at_rest', 'encryption_in_transit', 'logging', 'versioning', 'secrets'],
  network: ['encryption_in_transit', 'metadata_service', 'logging', 'access_control', 'secrets'],
  access_control: ['encryption_at_rest', 'logging', 'monitoring'],
  iam: ['public_access', 'network', 'metadata_service', 'logging', 'secrets', 'access_control', 'iam'],
  secrets: ['iam', 'logging', 'encryption_at_rest'],
  backup: ['versioning', 'availability', 'encryption_at_rest'],
  availability: ['backup', 'monitoring'],
  encryption_at_rest: ['backup', 'logging'],
};

/** Pairs of flaws that are worse together. Pairs of related resources come first. */
function chainedPairs({ sites, references }: SecureTemplate, choice: SeededChoice): InjectionSite[][] {
  const shuffled = choice.shuffled(sites);
  const isNear = ({ target: a }: InjectionSite, { target: b }: InjectionSite) =>
    areRelated(a, b) ||
    references.get(a.address)?.has(b.address) === true ||
    references.get(b.address)?.has(a.address) === true;
  const near: InjectionSite[][] = [];
  const far: InjectionSite[][] = [];
  for (const first of shuffled) {
    const worse = WORSE_WITH[first.weakness.category] ?? [];
    const seconds = shuffled.filter((second) => second !== first && worse.includes(second.weakness.category));
    const close = seconds.filter((second) => isNear(first, second));
    // Several candidates, since the first may not fit.
    near.push(...close.slice(0, 3).map((second) => [first, second]));
    if (close.length === 0) far.push(...seconds.slice(0, 2).map((second) => [first, second]));
  }
  return [...near, ...far];
}
