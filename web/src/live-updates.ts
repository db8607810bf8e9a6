import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

const PAUSE_MS = 1000;

/** While the page is open, asks again for what it shows after the server says that something changed. */
export function useLiveUpdates(isLive: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!isLive) return;
    // It connects again by itself after the connection was lost.
    const events = new EventSource('/api/events');
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wasConnected = false;
    const refresh = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queries.invalidateQueries({ predicate: ({ meta }) => meta?.neverChanges !== true });
      }, PAUSE_MS);
    };
    events.addEventListener('change', refresh);
    events.addEventListener('open', () => {
      // Something may have changed while there was no connection.
      if (wasConnected) refresh();
      wasConnected = true;
    });
    return () => {
      clearTimeout(timer);
      events.close();
    };
  }, [isLive, queries]);
}
