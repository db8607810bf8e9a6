import { useQuery } from '@tanstack/react-query';
import type { CodeView } from '../../../../src/app/view/games/code-view.ts';
import type { ScoreBlueView, ScoreView } from '../../../../src/app/view/games/score-view.ts';
import { getJson } from '../../api.ts';

export function useScore() {
  return useQuery({ queryKey: ['/score'], queryFn: ({ signal }) => getJson<ScoreView>('/score', signal) });
}

export function useScoreBlue(blue: number) {
  const path = `/score/blues/${blue}`;
  return useQuery({ queryKey: [path], queryFn: ({ signal }) => getJson<ScoreBlueView>(path, signal) });
}

export function useScoreCode() {
  return useQuery({ queryKey: ['/score/code'], queryFn: ({ signal }) => getJson<CodeView>('/score/code', signal) });
}
