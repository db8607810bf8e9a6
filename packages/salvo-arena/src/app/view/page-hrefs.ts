import { joinedHref, whereHref } from 'salvo/kit/page';

/** The addresses of this package's pages, after `#`. `web/src/main.tsx` says which page has which. */
export const PAGE = { experiments: '/experiments', score: '/score', game: '/game' } as const;

export function experimentHref(experiment: string): string {
  return joinedHref(PAGE.experiments, experiment);
}

/** What a list of games is filtered by. An empty text stands for any. */
export type GameFilter = Record<'red' | 'blue' | 'task' | 'difficulty' | 'language' | 'outcome', string>;

/** The games of an experiment, or those that fit. */
export function gamesHref(experiment: string, filter: Partial<GameFilter> = {}): string {
  const chosen = Object.entries(filter).filter(([, value]) => value !== '');
  const words = new URLSearchParams(chosen).toString();
  return whereHref(joinedHref(experimentHref(experiment), 'games'), encodeURIComponent(words));
}

export function gameHref(experiment: string, game: string): string {
  return joinedHref(gamesHref(experiment), game);
}

export function scoreBlueHref(blue: number): string {
  return joinedHref(PAGE.score, blue);
}

/** A flaw or a finding on the page of a game or of a Blue. */
export function claimHref(page: string, { kind, index }: { kind: 'flaw' | 'finding'; index: number }): string {
  return joinedHref(page, kind, index);
}
