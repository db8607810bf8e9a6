import { useQuery } from '@tanstack/react-query';
import type { CodeView } from '../../../../src/app/view/games/code-view.ts';
import type {
  ExperimentLines,
  ExperimentStanding,
  ExperimentView,
  GameLines,
} from '../../../../src/app/view/games/experiment-view.ts';
import type { GameView } from '../../../../src/app/view/games/game-view.ts';
import { getJson, useAllPages } from '../../api.ts';

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
  return useAllPages<GameLines>(`${pathOf(experiment)}/games`, ['games', experiment]);
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
