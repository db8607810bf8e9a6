import { at, hc, lookAgainMs, useAllPages, useAnswer, VIEWER } from 'salvo/viewer-parts';
import type { ExperimentApi } from '../../../../src/server/experiment-routes.ts';
import type { GameApi } from '../../../../src/server/result-routes.ts';

const { experiments } = hc<ExperimentApi>(...VIEWER);
const { game: played } = hc<GameApi>(...VIEWER);
const one = experiments[':experiment'];

export function useExperiments() {
  return useAnswer(['experiments'], (options) => experiments.$get({}, options));
}

export function useStanding(experiment: string) {
  return useAnswer(['experiment', experiment, 'standing'], (options) => one.standing.$get(at({ experiment }), options));
}

export function useExperiment(experiment: string) {
  return useAnswer(['experiment', experiment], (options) => one.$get(at({ experiment }), options), {
    refetchInterval: ({ state }) => lookAgainMs(state.data),
  });
}

export function stopExperiment(experiment: string): Promise<unknown> {
  return one.stop.$post(at({ experiment }));
}

export function resumeExperiment(experiment: string, budget_usd: number | undefined): Promise<unknown> {
  return one.resume.$post({ ...at({ experiment }), json: { budget_usd } });
}

/** All games of an experiment, loaded page by page. */
export function useGames(experiment: string) {
  return useAllPages(['games', experiment], (query, options) =>
    one.games.$get({ ...at({ experiment }), query }, options),
  );
}

export function useGame(experiment: string, game: string) {
  return useAnswer(['game', experiment, game], (options) => one.games[':game'].$get(at({ experiment, game }), options));
}

export function useGameCode(experiment: string, game: string) {
  return useAnswer(['game', experiment, game, 'code'], (options) =>
    one.games[':game'].code.$get(at({ experiment, game }), options),
  );
}

/** The game of `salvo game --view`. */
export function usePlayedGame() {
  return useAnswer(['game'], (options) => played.$get({}, options));
}

export function usePlayedCode() {
  return useAnswer(['game', 'code'], (options) => played.code.$get({}, options));
}
