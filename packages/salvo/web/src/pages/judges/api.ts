import { useQuery } from '@tanstack/react-query';
import { at } from '../../../../src/app/view/address-parts.ts';
import { api, asking } from '../../client.ts';

export function useJudges() {
  return useQuery({ queryKey: ['judges'], queryFn: asking((options) => api.judges.$get({}, options)) });
}

export function useJudge(judge: string) {
  return useQuery({
    queryKey: ['judge', judge],
    queryFn: asking((options) => api.judges[':judge'].$get(at({ judge }), options)),
  });
}
