import type { Features, FormUnit, ScoredUnit } from '../handwriting/form-detector.ts';
import { learnDetector } from '../handwriting/form-detector.ts';
import type { MemoryGame, SeenResource } from './memory-games.ts';

/**
 * A Blue that remembers the templates: it aligns each resource with the most similar one of its type, and counts what
 * differs in the evaluated code. With `isCareful`, names, descriptions and tags are not compared.
 */
export function differences(
  known: ReadonlyMap<string, readonly SeenResource[]>,
  { resources }: MemoryGame,
  isCareful: boolean,
): ScoredUnit[] {
  return resources.map((resource) => {
    const counts = (known.get(resource.type) ?? []).map((one) => differing(one, resource, isCareful));
    return unitOf(resource, counts.length === 0 ? 0 : Math.min(...counts));
  });
}

function differing(one: SeenResource, other: SeenResource, isCareful: boolean): number {
  const paths = new Set([...one.values.keys(), ...other.values.keys()]);
  let count = !isCareful && one.name !== other.name ? 1 : 0;
  for (const path of paths) {
    const [before, after] = [one.values.get(path), other.values.get(path)];
    if (before === after || (isCareful && isName(path, before ?? after ?? ''))) continue;
    count += 1;
  }
  return count;
}

/** What a Blue that knows how code is written does not compare: names, texts, and references to others. */
function isName(path: string, value: string): boolean {
  return (
    /(?:name|description|identifier|prefix|comment|sid|domain|alias|bucket|\.id|_id|arn|tags?)\b/i.test(path) ||
    /\.(?:tags|Tags)\b|\$\{/.test(path) ||
    value.includes('${')
  );
}

/** A Blue that has seen other games of the task: the share of lines that fewer than a fifth of them have. */
export function unusualLines(others: readonly MemoryGame[], game: MemoryGame, by: 'count' | 'share' | 'rarest') {
  const games = gamesByLine.get(others) ?? countLines(others);
  gamesByLine.set(others, games);
  const share = (line: string) => (games.get(line) ?? 0) / others.length;
  return game.resources.map((resource) => {
    const rare = resource.lines.filter((line) => share(line) < 0.2);
    const score =
      by === 'count'
        ? rare.length
        : by === 'share'
          ? rare.length / resource.lines.length
          : -Math.min(...resource.lines.map(share));
    return unitOf(resource, score);
  });
}

const gamesByLine = new WeakMap<readonly MemoryGame[], ReadonlyMap<string, number>>();

function countLines(games: readonly MemoryGame[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { resources } of games) {
    for (const line of new Set(resources.flatMap(({ lines }) => lines))) counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return counts;
}

/** A linear model of values, learned on other games. It sees types, paths and values of the evaluated code. */
export function learnValues(games: readonly MemoryGame[]): (game: MemoryGame) => ScoredUnit[] {
  const detect = learnDetector(
    games.flatMap(({ resources }) => resources.map(valueUnit)),
    'form',
  );
  return ({ resources }) => resources.map((resource) => unitOf(resource, detect(valueUnit(resource))));
}

function valueUnit(resource: SeenResource): FormUnit {
  const form = [...resource.values].flatMap(([path, value]) => [
    `${path}=${value}`,
    `${resource.type}${path}=${value}`,
    ...valueTokens(value),
  ]);
  const features: Features = { form, lines: [] };
  return { game: resource.game, place: '', features, isGuilty: resource.isGuilty };
}

/** The words and numbers of a value; accounts and private networks are one token each. */
export function valueTokens(value: string): string[] {
  const masked = value
    .replaceAll(/(?<!\d)\d{12}(?!\d)/g, '<account>')
    .replaceAll(/(?:10\.\d+|172\.(?:1[6-9]|2\d|3[01]))\.\d+\.\d+\/\d+/g, '<private range>')
    .replaceAll(/f[cd][0-9a-f]{2}:[0-9a-f:]*\/\d+/g, '<private range of IPv6>');
  return masked.match(/<[^>]*>|[A-Za-z0-9][\w.*:/-]*|\*/g) ?? [];
}

function unitOf({ game, type, isGuilty }: SeenResource, score: number): ScoredUnit {
  return { game, place: type, isGuilty, score };
}
