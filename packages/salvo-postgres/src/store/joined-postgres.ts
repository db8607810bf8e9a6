import { openPostgres, type Postgres, type PostgresOptions } from '../postgres/postgres.ts';

const open = new Map<string, { postgres: Promise<Postgres>; users: number }>();

/**
 * All stores of a process that are in the same database use the same connections: a worker opens a store for each run
 * that it takes part in. The last one that is closed closes them.
 */
export async function joinPostgres({ url, patience }: Pick<PostgresOptions, 'url' | 'patience'>): Promise<Postgres> {
  const entry = open.get(url) ?? { postgres: openPostgres({ url, patience }), users: 0 };
  open.set(url, entry);
  entry.users += 1;
  async function leave(): Promise<void> {
    entry.users -= 1;
    if (entry.users > 0) return;
    if (open.get(url) === entry) open.delete(url);
    await (await entry.postgres).close();
  }
  const postgres = await entry.postgres.catch((error: unknown) => {
    if (open.get(url) === entry) open.delete(url);
    throw error;
  });
  let left: Promise<void> | undefined;
  const close = (): Promise<void> => {
    left ??= leave();
    return left;
  };
  return { ...postgres, close, [Symbol.asyncDispose]: close };
}
