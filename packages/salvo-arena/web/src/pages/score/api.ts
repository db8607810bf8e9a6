import { useQuery } from '@tanstack/react-query';
import { asking, at, hc, VIEWER } from 'salvo/viewer-parts';
import type { ScoreApi } from '../../../../src/server/result-routes.ts';

const { score } = hc<ScoreApi>(...VIEWER);

export function useScore() {
  return useQuery({ queryKey: ['score'], queryFn: asking((options) => score.$get({}, options)) });
}

export function useScoreBlue(blue: number) {
  return useQuery({
    queryKey: ['score', 'blue', blue],
    queryFn: asking((options) => score.blues[':blue'].$get(at({ blue }), options)),
  });
}

export function useScoreCode() {
  return useQuery({ queryKey: ['score', 'code'], queryFn: asking((options) => score.code.$get({}, options)) });
}
