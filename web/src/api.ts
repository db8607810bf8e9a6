import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { RunLines, SortKey } from '../../src/app/view/runs/run-lines.ts';
import type { OutcomePage, RunView } from '../../src/app/view/runs/run-view.ts';
import type { ProjectView } from '../../src/app/view/viewed-project.ts';
import type { ViewerRight } from '../../src/app/view/viewer-rights.ts';
import type { FlakyCase } from '../../src/run/record/flaky-case.ts';
import { forgetDeleted, noteDeleted } from './deleted-runs.ts';
import { embeddedAnswer, isHtmlFile } from './embedded-answers.ts';

/** An answer of the server that is not a result. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The answer to a GET request under `/api`, or the one that an HTML file contains. */
export async function getJson<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  if (isHtmlFile) return (await answerInFile(path)) as Answer;
  const response = await fetch(`/api${path}`, { signal: signal ?? null, headers: { accept: 'application/json' } });
  if (!response.ok) throw new ApiError(response.status, await errorMessage(response));
  return (await response.json()) as Answer;
}

async function answerInFile(path: string): Promise<unknown> {
  const answer = await embeddedAnswer(path);
  if (answer === undefined) throw new ApiError(404, 'This file does not contain it. `salvo view` shows everything.');
  return answer;
}

/** A request under `/api` that changes something. */
export async function sendJson<Answer>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body: Record<string, unknown> = {},
): Promise<Answer> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const response = await fetch(`/api${path}`, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new ApiError(response.status, await errorMessage(response));
  return (await response.json()) as Answer;
}

async function errorMessage(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer === 'object' && answer !== null && 'error' in answer) return String(answer.error);
  } catch {
    // Not JSON: the text says what is wrong.
  }
  return text || `The server answered with status ${response.status}.`;
}

export function useProject() {
  return useQuery({ queryKey: ['project'], queryFn: ({ signal }) => getJson<ProjectView>('/project', signal) });
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
      const query = new URLSearchParams({ filter, sort, order, offset: String(pageParam) });
      return getJson<RunLines>(`/runs?${query}`, signal);
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
  return useQuery({
    queryKey: ['run', runId],
    queryFn: ({ signal }) => getJson<RunView>(`/runs/${encodeURIComponent(runId)}`, signal),
    // Nothing in the store changes when the process of a run is killed.
    refetchInterval: ({ state }) => (state.data?.is_running ? LOOK_MS : false),
  });
}

const LOOK_MS = 5000;

export function useFlaky(runId: string) {
  return useQuery({
    queryKey: ['flaky', runId],
    queryFn: ({ signal }) => getJson<{ flaky: FlakyCase[] }>(`/runs/${encodeURIComponent(runId)}/flaky`, signal),
  });
}

/** Something that is done to a run. What is shown is asked for again afterwards. */
export function useRunAction(action: 'stop' | 'resume') {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ runId, ...body }: { runId: string; budget_usd?: number | undefined }) =>
      sendJson('POST', `/runs/${encodeURIComponent(runId)}/${action}`, body),
    onSettled: () => queries.invalidateQueries(),
  });
}

export function useDeleteRun() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (runId: string) => sendJson('DELETE', `/runs/${encodeURIComponent(runId)}`),
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
      for (const runId of runIds) await sendJson('POST', `/runs/${encodeURIComponent(runId)}/restore`);
    },
    onSuccess: (_, runIds) => forgetDeleted(runIds),
    onSettled: () => queries.invalidateQueries(),
  });
}

/** How all trials of a run ended. */
export function useOutcomes(runId: string) {
  return useAllPages<OutcomePage>(`/runs/${encodeURIComponent(runId)}/outcomes`, ['outcomes', runId]);
}

/** Everything that an address returns page by page, in the order of its pages. */
export function useAllPages<Answer extends { next_offset: number | null }>(path: string, queryKey: readonly string[]) {
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }) => getJson<Answer>(`${path}?offset=${pageParam}`, signal),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next_offset,
  });
  const { hasNextPage, isFetching, fetchNextPage } = pages;
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return pages;
}
