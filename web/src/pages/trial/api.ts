import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { MessagePage, TrialView } from '../../../../src/app/view/trial-view.ts';
import { getJson } from '../../api.ts';

export interface TrialAddress {
  run: string;
  scenario: string;
  case: string;
  trial: string;
}

export function useTrial({ run, scenario, case: caseIndex, trial }: TrialAddress) {
  const path = `/runs/${encodeURIComponent(run)}/trials/${scenario}/${caseIndex}/${trial}`;
  return useQuery({ queryKey: ['trial', path], queryFn: ({ signal }) => getJson<TrialView>(path, signal) });
}

/** All messages of a trace, loaded page by page. */
export function useMessages(traceId: string | null) {
  const pages = useInfiniteQuery({
    queryKey: ['messages', traceId],
    enabled: traceId !== null,
    queryFn: ({ signal, pageParam }) => getJson<MessagePage>(`/traces/${traceId}/messages?offset=${pageParam}`, signal),
    initialPageParam: 0,
    getNextPageParam: ({ total }, all) => {
      const loaded = all.reduce((sum, { messages }) => sum + messages.length, 0);
      return loaded < total ? loaded : null;
    },
  });
  const { hasNextPage, isFetching, fetchNextPage } = pages;
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return pages;
}

export function useWholeMessage(traceId: string, index: number, isWanted: boolean) {
  return useQuery({
    queryKey: ['message', traceId, index],
    enabled: isWanted,
    queryFn: ({ signal }) => getJson<{ text: string }>(`/traces/${traceId}/messages/${index}`, signal),
  });
}
