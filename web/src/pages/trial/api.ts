import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { MessagePage, MessageView } from '../../../../src/app/view/trial/message-view.ts';
import type { TraceView, TrialView } from '../../../../src/app/view/trial/trial-view.ts';
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

export function useTrace(traceId: string) {
  const path = `/traces/${encodeURIComponent(traceId)}`;
  return useQuery({ queryKey: ['trace', path], queryFn: ({ signal }) => getJson<TraceView>(path, signal) });
}

/** A trace is stored once and never changes. */
const NEVER_CHANGES = { staleTime: Number.POSITIVE_INFINITY, meta: { neverChanges: true } };

/** All messages of a trace, loaded page by page. Null: nothing is loaded. */
export function useMessages(traceId: string | null) {
  const pages = useInfiniteQuery({
    ...NEVER_CHANGES,
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

/** A message with its whole texts. */
export function useWholeMessage(traceId: string, index: number, isWanted: boolean) {
  return useQuery({
    ...NEVER_CHANGES,
    queryKey: ['message', traceId, index],
    enabled: isWanted,
    queryFn: ({ signal }) => getJson<MessageView>(`/traces/${traceId}/messages/${index}`, signal),
  });
}
