import { keepPreviousData } from '@tanstack/react-query';
import { useAnswer } from '../../api.ts';
import { api } from '../../client.ts';

/** The first is what the others are compared with. */
export function useComparison(sources: readonly string[]) {
  return useAnswer(['compare', ...sources], (options) => api.compare.$get({ query: { run: [...sources] } }, options), {
    enabled: sources.length > 1,
  });
}

export function useTracePair(base: string, next: string) {
  return useAnswer(
    ['trace-pair', base, next],
    (options) => api.compare.traces.$get({ query: { base, next } }, options),
    { placeholderData: keepPreviousData },
  );
}
