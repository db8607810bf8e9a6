import type { GameFilter } from '../games/game-filter.ts';

export function experimentHref(experiment: string): string {
  return `/experiments/${encodeURIComponent(experiment)}`;
}

/** The games of an experiment, or those that fit. */
export function gamesHref(experiment: string, filter: Partial<GameFilter> = {}): string {
  const chosen = Object.entries(filter).filter(([, value]) => value !== '');
  const list = `${experimentHref(experiment)}/games`;
  if (chosen.length === 0) return list;
  return `${list}/where/${encodeURIComponent(new URLSearchParams(chosen).toString())}`;
}

export function gameHref(experiment: string, game: string): string {
  return `${experimentHref(experiment)}/games/${encodeURIComponent(game)}`;
}
