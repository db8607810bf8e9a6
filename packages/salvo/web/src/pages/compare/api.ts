import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, asking } from '../../client.ts';

/** The first is what the others are compared with. */
export function useComparison(sources: readonly string[]) {
  const query = { run: [...sources] };
  return useQuery({
    queryKey: ['compare', ...sources],
    enabled: sources.length > 1,
    queryFn: asking((options) => api.compare.$get({ query }, options)),
  });
}

export function useTracePair(base: string, next: string) {
  return useQuery({
    queryKey: ['trace-pair', base, next],
    queryFn: asking((options) => api.compare.traces.$get({ query: { base, next } }, options)),
    placeholderData: keepPreviousData,
  });
}
