import {
  keepPreviousData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { ClientRequestOptions } from 'hono/client';
import { useEffect, useMemo } from 'react';
import { at } from '../../src/app/view/address-parts.ts';
import type { SortKey } from '../../src/app/view/runs/run-lines.ts';
import type { ViewerRight } from '../../src/app/view/viewer-rights.ts';
import type { TrialOutcome } from '../../src/run/record/run-record.ts';
import { api, asking } from './client.ts';
import { forgetDeleted, noteDeleted } from './deleted-runs.ts';

export function useProject() {
  return useQuery({ queryKey: ['project'], queryFn: asking((options) => api.project.$get({}, options)) });
}

/** Whether the viewer allows it. An HTML file allows nothing. */
export function useRight(right: ViewerRight): boolean {
  return useProject().data?.rights.includes(right) ?? false;
}

export interface RunsQuery {
  filter: string;
  sort: SortKey;
  order: 'ascending' | 'descending';
}

/** All runs that fit, loaded page by page as they are looked at. */
export function useRuns({ filter, sort, order }: RunsQuery) {
  return useInfiniteQuery({
    queryKey: ['runs', filter, sort, order],
    queryFn: ({ signal, pageParam }) => {
      const query = { filter, sort, order, offset: String(pageParam) };
      return asking((options) => api.runs.$get({ query }, options))({ signal });
    },
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const loaded = pages.reduce((sum, { runs }) => sum + runs.length, 0);
      return loaded < total ? loaded : null;
    },
    placeholderData: keepPreviousData,
  });
}

export function useRun(runId: string) {
  const queryFn = asking((options) => api.runs[':run'].$get(at({ run: runId }), options));
  return useQuery({
    queryKey: ['run', runId],
    queryFn,
    refetchInterval: ({ state }) => lookAgainMs(state.data),
  });
}

const LOOK_MS = 5000;

/** Nothing in the store changes when the process is killed that works on something. */
export function lookAgainMs(view: { is_running: boolean } | undefined): number | false {
  return view?.is_running ? LOOK_MS : false;
}

export function useFlaky(runId: string) {
  return useQuery({
    queryKey: ['flaky', runId],
    queryFn: asking((options) => api.runs[':run'].flaky.$get(at({ run: runId }), options)),
  });
}

/** What is shown is asked for again afterwards. */
export function useResume() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ runId, ...json }: { runId: string; budget_usd?: number | undefined }) =>
      api.runs[':run'].resume.$post({ ...at({ run: runId }), json }),
    onSettled: () => queries.invalidateQueries(),
  });
}

export function useDeleteRun() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (runId: string) => api.runs[':run'].$delete(at({ run: runId })),
    // What was asked about the run before would not find it any more.
    onMutate: (runId) => queries.cancelQueries({ predicate: ({ queryKey }) => queryKey.includes(runId) }),
    onSuccess: (_, runId) => noteDeleted(runId),
    onError: () => void queries.invalidateQueries(),
    // Not awaited: the page that deleted the run is left at once, before it asks for the run again.
    onSettled: () => void queries.invalidateQueries({ queryKey: ['runs'] }),
  });
}

export function useRestoreRuns() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (runIds: readonly string[]) => {
      for (const runId of runIds) await api.runs[':run'].restore.$post(at({ run: runId }));
    },
    onSuccess: (_, runIds) => forgetDeleted(runIds),
    onSettled: () => queries.invalidateQueries(),
  });
}

/** How all trials of a run ended. */
export function useOutcomes(runId: string): TrialOutcome[] {
  const { data } = useAllPages(['outcomes', runId], (query, options) =>
    api.runs[':run'].outcomes.$get({ ...at({ run: runId }), query }, options),
  );
  return useMemo(() => data?.pages.flatMap(({ outcomes }) => outcomes) ?? [], [data]);
}

/** Everything that an address returns page by page, in the order of its pages. */
export function useAllPages<Answer extends { next_offset: number | null }>(
  queryKey: readonly string[],
  request: (query: { offset: string }, options?: ClientRequestOptions) => Promise<{ json(): Promise<Answer> }>,
) {
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }) =>
      asking((options) => request({ offset: String(pageParam) }, options))({ signal }),
    initialPageParam: 0,
    getNextPageParam: (page: Answer) => page.next_offset,
  });
  useEveryPage(pages);
  return pages;
}

/** Asks for the next page as long as there is one. */
export function useEveryPage({ hasNextPage, isFetching, fetchNextPage }: UseInfiniteQueryResult<unknown>): void {
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
}
