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
  const problem = query.isError && <p role="alert">{query.error.message}</p>;
  if (query.data === undefined) return problem;
  // What was loaded before stays: somebody may be typing into it.
  return (
    <>
      {problem}
      {children(query.data)}
    </>
  );
}
