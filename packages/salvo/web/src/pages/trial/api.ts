import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { at } from '../../../../src/app/view/address-parts.ts';
import { useEveryPage } from '../../api.ts';
import { api, asking } from '../../client.ts';

export interface TrialAddress {
  run: string;
  scenario: string;
  case: string;
  trial: string;
}

export function useTrial(address: TrialAddress) {
  const { run, scenario, case: caseIndex, trial } = address;
  return useQuery({
    queryKey: ['trial', run, scenario, caseIndex, trial],
    queryFn: asking((options) =>
      api.runs[':run'].trials[':scenario'][':case'][':trial'].$get(
        at({ run, scenario, case: caseIndex, trial }),
        options,
      ),
    ),
  });
}

export function useTrace(trace: string) {
  return useQuery({
    queryKey: ['trace', trace],
    queryFn: asking((options) => api.traces[':trace'].$get(at({ trace }), options)),
  });
}

/** A trace is stored once and never changes. */
const NEVER_CHANGES = { staleTime: Number.POSITIVE_INFINITY, meta: { neverChanges: true } };

/** All messages of a trace, loaded page by page: the first ones, while the others are on the way. */
export function useMessages(traceId: string) {
  const pages = useInfiniteQuery({
    ...NEVER_CHANGES,
    queryKey: ['messages', traceId],
    queryFn: ({ signal, pageParam }) => {
      const query = { offset: String(pageParam) };
      const place = at({ trace: traceId });
      return asking((options) => api.traces[':trace'].messages.$get({ ...place, query }, options))({ signal });
    },
    initialPageParam: 0,
    getNextPageParam: ({ total }, all) => {
      const loaded = all.reduce((sum, { messages }) => sum + messages.length, 0);
      return loaded < total ? loaded : null;
    },
  });
  useEveryPage(pages);
  const messages = useMemo(() => pages.data?.pages.flatMap((page) => page.messages) ?? [], [pages.data]);
  return { messages, isPending: pages.isPending, problem: pages.error?.message ?? null };
}

/** A message with its whole texts. */
export function useWholeMessage(traceId: string, index: number, isWanted: boolean) {
  return useQuery({
    ...NEVER_CHANGES,
    queryKey: ['message', traceId, index],
    enabled: isWanted,
    queryFn: asking((options) => api.traces[':trace'].messages[':index'].$get(at({ trace: traceId, index }), options)),
  });
}
