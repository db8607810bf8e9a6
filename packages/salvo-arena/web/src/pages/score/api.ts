import { useQuery } from '@tanstack/react-query';
import { at } from '../../../../../salvo/src/app/view/address-parts.ts';
import { api, asking } from '../../../../../salvo/web/src/client.ts';

export function useScore() {
  return useQuery({ queryKey: ['score'], queryFn: asking((options) => api.score.$get({}, options)) });
}

export function useScoreBlue(blue: number) {
  return useQuery({
    queryKey: ['score', 'blue', blue],
    queryFn: asking((options) => api.score.blues[':blue'].$get(at({ blue }), options)),
  });
}

export function useScoreCode() {
  return useQuery({ queryKey: ['score', 'code'], queryFn: asking((options) => api.score.code.$get({}, options)) });
}
