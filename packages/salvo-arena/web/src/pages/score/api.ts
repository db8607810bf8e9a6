import { at, hc, useAnswer, VIEWER } from 'salvo/viewer-parts';
import type { ScoreApi } from '../../../../src/server/result-routes.ts';

const { score } = hc<ScoreApi>(...VIEWER);

export function useScore() {
  return useAnswer(['score'], (options) => score.$get({}, options));
}

export function useScoreBlue(blue: number) {
  return useAnswer(['score', 'blue', blue], (options) => score.blues[':blue'].$get(at({ blue }), options));
}

export function useScoreCode() {
  return useAnswer(['score', 'code'], (options) => score.code.$get({}, options));
}
