import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

/** What a page shows while its data is on the way, when it could not be loaded, and when it is there. */
export function LoadState<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}) {
  if (query.isPending) return <p role="status">Loading…</p>;
  if (query.isError) return <p role="alert">{query.error.message}</p>;
  return <>{children(query.data)}</>;
}
