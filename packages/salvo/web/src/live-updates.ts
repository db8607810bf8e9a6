import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { EVENTS } from './client.ts';

/** `ended`: the server refuses this page, because another one was started in its place. */
export type Connection = 'connected' | 'reconnecting' | 'ended';

const PAUSE_MS = 1000;
/** How all trials of a large run ended is megabytes. */
const LARGE_PAUSE_MS = 5000;
/** A connection that is back at once is not worth a note. */
const NOTE_AFTER_MS = 1000;

/** While the page is open, asks again for what it shows after the server says that something changed. */
export function useLiveUpdates(isLive: boolean): Connection {
  const queries = useQueryClient();
  const [connection, setConnection] = useState<Connection>('connected');
  useEffect(() => {
    if (!isLive) return;
    const refresh = refresher(queries);
    // It connects again by itself after the connection was lost.
    const events = new EventSource(EVENTS);
    let wasLost = false;
    let note: ReturnType<typeof setTimeout> | undefined;
    events.addEventListener('change', ({ data }) => refresh.after(readRunIds(data)));
    events.addEventListener('open', () => {
      clearTimeout(note);
      note = undefined;
      setConnection('connected');
      // Something may have changed while there was no connection.
      if (wasLost) refresh.after(null);
      wasLost = false;
    });
    events.addEventListener('error', () => {
      wasLost = true;
      if (events.readyState === EventSource.CLOSED) setConnection('ended');
      else note ??= setTimeout(() => setConnection('reconnecting'), NOTE_AFTER_MS);
    });
    return () => {
      clearTimeout(note);
      refresh.cancel();
      events.close();
    };
  }, [isLive, queries]);
  return connection;
}

function readRunIds(data: unknown): string[] {
  const ids: unknown = JSON.parse(String(data));
  return Array.isArray(ids) ? ids.map(String) : [];
}

/** Outcomes are asked for again only if their run changed, and those of a large run not every second. */
function refresher(queries: QueryClient) {
  const changed = new Set<string>();
  const asked = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function refreshOutcomes(): void {
    for (const query of queries.getQueryCache().findAll({ queryKey: ['outcomes'] })) {
      const runId = String(query.queryKey[1]);
      if (!changed.has(runId) || isTooEarly(runId, query.state.data)) continue;
      changed.delete(runId);
      asked.set(runId, performance.now());
      void queries.invalidateQueries({ queryKey: ['outcomes', runId] });
    }
  }

  function isTooEarly(runId: string, data: unknown): boolean {
    const pages = typeof data === 'object' && data !== null && 'pages' in data ? data.pages : [];
    const isLarge = Array.isArray(pages) && pages.length > 1;
    return isLarge && performance.now() - (asked.get(runId) ?? 0) < LARGE_PAUSE_MS;
  }

  function refresh(): void {
    timer = undefined;
    void queries.invalidateQueries({
      predicate: ({ queryKey, meta }) => queryKey[0] !== 'outcomes' && meta?.neverChanges !== true,
    });
    refreshOutcomes();
    const shown = new Set(
      queries
        .getQueryCache()
        .findAll({ queryKey: ['outcomes'] })
        .map(({ queryKey }) => queryKey[1]),
    );
    if ([...changed].some((runId) => shown.has(runId))) timer = setTimeout(refresh, LARGE_PAUSE_MS);
  }

  return {
    /** Null: any run may have changed. */
    after(runIds: string[] | null): void {
      const all = queries.getQueryCache().findAll({ queryKey: ['outcomes'] });
      for (const runId of runIds ?? all.map(({ queryKey }) => String(queryKey[1]))) changed.add(runId);
      timer ??= setTimeout(refresh, PAUSE_MS);
    },
    cancel: () => clearTimeout(timer),
  };
}
