import { gameListHref, whereHref } from '../../../../src/app/view/page-hrefs.ts';
import type { GameFilter } from '../games/game-filter.ts';

/** The games of an experiment, or those that fit. */
export function gamesHref(experiment: string, filter: Partial<GameFilter> = {}): string {
  const chosen = Object.entries(filter).filter(([, value]) => value !== '');
  return whereHref(gameListHref(experiment), encodeURIComponent(new URLSearchParams(chosen).toString()));
}
