import { useQuery } from '@tanstack/react-query';
import { asking, at, hc, lookAgainMs, useAllPages, VIEWER } from 'salvo/viewer-parts';
import type { ExperimentApi } from '../../../../src/server/experiment-routes.ts';
import type { GameApi } from '../../../../src/server/result-routes.ts';

const { experiments } = hc<ExperimentApi>(...VIEWER);
const { game: played } = hc<GameApi>(...VIEWER);
const one = experiments[':experiment'];

export function useExperiments() {
  return useQuery({ queryKey: ['experiments'], queryFn: asking((options) => experiments.$get({}, options)) });
}

export function useStanding(experiment: string) {
  return useQuery({
    queryKey: ['experiment', experiment, 'standing'],
    queryFn: asking((options) => one.standing.$get(at({ experiment }), options)),
  });
}

export function useExperiment(experiment: string) {
  const queryFn = asking((options) => one.$get(at({ experiment }), options));
  return useQuery({
    queryKey: ['experiment', experiment],
    queryFn,
    refetchInterval: ({ state }) => lookAgainMs(state.data),
  });
}

export function stopExperiment(experiment: string): Promise<unknown> {
  return one.stop.$post(at({ experiment }));
}

/** All games of an experiment, loaded page by page. */
export function useGames(experiment: string) {
  return useAllPages(['games', experiment], (query, options) =>
    one.games.$get({ ...at({ experiment }), query }, options),
  );
}

export function useGame(experiment: string, game: string) {
  return useQuery({
    queryKey: ['game', experiment, game],
    queryFn: asking((options) => one.games[':game'].$get(at({ experiment, game }), options)),
  });
}

export function useGameCode(experiment: string, game: string) {
  return useQuery({
    queryKey: ['game', experiment, game, 'code'],
    queryFn: asking((options) => one.games[':game'].code.$get(at({ experiment, game }), options)),
  });
}

/** The game of `salvo game --view`. */
export function usePlayedGame() {
  return useQuery({ queryKey: ['game'], queryFn: asking((options) => played.$get({}, options)) });
}

export function usePlayedCode() {
  return useQuery({ queryKey: ['game', 'code'], queryFn: asking((options) => played.code.$get({}, options)) });
}
