import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { CodeView } from '../../../../src/app/view/games/code-view.ts';
import type {
  ExperimentLines,
  ExperimentStanding,
  ExperimentView,
  GameLines,
} from '../../../../src/app/view/games/experiment-view.ts';
import type { GameView } from '../../../../src/app/view/games/game-view.ts';
import { getJson } from '../../api.ts';

export function useExperiments() {
  return useJson<ExperimentLines>('/experiments');
}

export function useStanding(experiment: string) {
  return useJson<ExperimentStanding>(`${pathOf(experiment)}/standing`);
}

export function useExperiment(experiment: string) {
  return useJson<ExperimentView>(pathOf(experiment));
}

/** All games of an experiment, loaded page by page. */
export function useGames(experiment: string) {
  const pages = useInfiniteQuery({
    queryKey: ['games', experiment],
    queryFn: ({ signal, pageParam }) => getJson<GameLines>(`${pathOf(experiment)}/games?offset=${pageParam}`, signal),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next_offset,
  });
  const { hasNextPage, isFetching, fetchNextPage } = pages;
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return pages;
}

export function useGame(experiment: string, game: string) {
  return useJson<GameView>(`${pathOf(experiment)}/games/${encodeURIComponent(game)}`);
}

export function useGameCode(experiment: string, game: string) {
  return useJson<CodeView>(`${pathOf(experiment)}/games/${encodeURIComponent(game)}/code`);
}

/** The game of `salvo game --view`. */
export function usePlayedGame() {
  return useJson<GameView>('/game');
}

export function usePlayedCode() {
  return useJson<CodeView>('/game/code');
}

function pathOf(experiment: string): string {
  return `/experiments/${encodeURIComponent(experiment)}`;
}

function useJson<Answer>(path: string) {
  return useQuery({ queryKey: [path], queryFn: ({ signal }) => getJson<Answer>(path, signal) });
}
