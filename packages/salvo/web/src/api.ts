import {
  type InfiniteData,
  keepPreviousData,
  type QueryKey,
  type UseInfiniteQueryResult,
  type UseQueryOptions,
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
import { type Answering, api, asking } from './client.ts';

/** What a route answers. */
export function useAnswer<Answer>(
  queryKey: QueryKey,
  request: Answering<Answer>,
  options: Omit<UseQueryOptions<Answer>, 'queryKey' | 'queryFn'> = {},
) {
  return useQuery({ ...options, queryKey, queryFn: asking(request) });
}

export function useProject() {
  return useAnswer(['project'], (options) => api.project.$get({}, options));
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
  return usePages(['runs', filter, sort, order], {
    request: (page, options) => api.runs.$get({ query: { filter, sort, order, ...page } }, options),
    next: ({ total }, pages) => nextOffset(total, pages, ({ runs }) => runs.length),
    placeholderData: keepPreviousData,
  });
}

export function useRun(runId: string) {
  return useAnswer(['run', runId], (options) => api.runs[':run'].$get(at({ run: runId }), options), {
    refetchInterval: ({ state }) => lookAgainMs(state.data),
  });
}

const LOOK_MS = 5000;

/** Nothing in the store changes when the process is killed that works on something. */
export function lookAgainMs(view: { is_running: boolean } | undefined): number | false {
  return view?.is_running ? LOOK_MS : false;
}

export function useFlaky(runId: string) {
  return useAnswer(['flaky', runId], (options) => api.runs[':run'].flaky.$get(at({ run: runId }), options));
}

const DELETED = ['deleted runs'];

function without(runIds: readonly string[]) {
  return (deleted: readonly string[] = []) => deleted.filter((each) => !runIds.includes(each));
}

/** Runs that were deleted in this page and can be restored. They outlive the page that deleted them. */
export function useDeletedRuns() {
  const queries = useQueryClient();
  const { data: deleted } = useQuery<readonly string[]>({ queryKey: DELETED, initialData: [], enabled: false });
  return { deleted, forget: (runIds: readonly string[]) => void queries.setQueryData(DELETED, without(runIds)) };
}

export function useDeleteRun() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (runId: string) => api.runs[':run'].$delete(at({ run: runId })),
    // What was asked about the run before would not find it any more.
    onMutate: (runId) => queries.cancelQueries({ predicate: ({ queryKey }) => queryKey.includes(runId) }),
    onSuccess: (_, runId) => void queries.setQueryData<string[]>(DELETED, (now) => [...without([runId])(now), runId]),
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
    onSuccess: (_, runIds) => void queries.setQueryData(DELETED, without(runIds)),
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

type PageRequest<Answer> = (
  page: { offset: string },
  options?: ClientRequestOptions,
) => Promise<{ json(): Promise<Answer> }>;

/** Everything that an address returns page by page, in the order of its pages. */
export function useAllPages<Answer extends { next_offset: number | null }>(
  queryKey: readonly string[],
  request: PageRequest<Answer>,
) {
  const pages = usePages(queryKey, { request, next: ({ next_offset }) => next_offset });
  useEveryPage(pages);
  return pages;
}

interface Pages<Answer> {
  request: PageRequest<Answer>;
  /** Where the next page begins; null after the last. */
  next: (last: Answer, all: readonly Answer[]) => number | null;
  placeholderData?: typeof keepPreviousData;
  staleTime?: number;
  meta?: Record<string, unknown>;
}

/** What an address returns page by page. */
export function usePages<Answer>(queryKey: QueryKey, { request, next, ...options }: Pages<Answer>) {
  return useInfiniteQuery<Answer, Error, InfiniteData<Answer>, QueryKey, number>({
    ...options,
    queryKey,
    queryFn: ({ signal, pageParam }) => asking((each) => request({ offset: String(pageParam) }, each))({ signal }),
    initialPageParam: 0,
    getNextPageParam: next,
  });
}

/** Where the next page of a list begins; null if all of it is loaded. */
export function nextOffset<Answer>(total: number, pages: readonly Answer[], length: (page: Answer) => number) {
  const loaded = pages.reduce((sum, page) => sum + length(page), 0);
  return loaded < total ? loaded : null;
}

/** Asks for the next page as long as there is one. */
export function useEveryPage({ hasNextPage, isFetching, fetchNextPage }: UseInfiniteQueryResult<unknown>): void {
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
}
