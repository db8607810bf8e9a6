import type { WorkQueue } from 'salvo/kit/queue';
import type { Postgres } from '../postgres/postgres.ts';

/** So much is sent with one statement, unless a single file is larger. */
const BYTES_AT_ONCE = 8 * 1024 * 1024;
/** A project that is run again soon need not send its files again. */
const KEPT_DAYS = 30;

/** The files of bundles, in the database. */
export function bundleFiles(postgres: Postgres): Pick<WorkQueue, 'missingFiles' | 'saveFiles' | 'readFiles' | 'prune'> {
  return {
    missingFiles: async (hashes) => {
      const rows = await postgres.query(
        'UPDATE salvo.bundle_files SET used_at = now() WHERE hash = ANY($1) RETURNING hash',
        [hashes],
      );
      const found = new Set(rows.map(({ hash }) => hash));
      return hashes.filter((hash) => !found.has(hash));
    },
    saveFiles: async (files) => {
      for (const batch of batchesOf(files, ({ content }) => content.length)) {
        await postgres.query(
          `INSERT INTO salvo.bundle_files (hash, content) SELECT * FROM unnest($1::text[], $2::bytea[])
           ON CONFLICT (hash) DO UPDATE SET used_at = now()`,
          [batch.map(({ hash }) => hash), batch.map(({ content }) => Buffer.from(content))],
        );
      }
    },
    readFiles: async (hashes) => {
      const rows = await postgres.query('SELECT hash, content FROM salvo.bundle_files WHERE hash = ANY($1)', [hashes]);
      return new Map(
        rows.flatMap(({ hash, content }) => (Buffer.isBuffer(content) ? [[String(hash), content] as const] : [])),
      );
    },
    prune: async (before) => {
      await deleteUnusedFiles(postgres, before);
      // What a budget or a provider has left means nothing once no process works.
      await postgres.query(
        `DELETE FROM salvo.limit_pages WHERE NOT EXISTS (SELECT FROM salvo.work_orders)
           AND NOT EXISTS (SELECT FROM salvo.limit_members WHERE seen_at > now() - interval '1 hour')`,
      );
    },
  };
}

/**
 * Files that were last used before, and that no order can need any more: none is as old as their last use. Within a day,
 * somebody may be about to open an order that needs them.
 */
export async function deleteUnusedFiles(postgres: Postgres, before?: Date): Promise<void> {
  await postgres.query(
    `DELETE FROM salvo.bundle_files WHERE used_at < least(
       coalesce($1::timestamptz, now() - interval '${KEPT_DAYS} days'), now() - interval '1 day',
       (SELECT min(created_at) - interval '1 day' FROM salvo.work_orders))`,
    [before?.toISOString() ?? null],
  );
}

/** Files in groups that are not too large for the memory. */
export function batchesOf<T>(files: readonly T[], bytesOf: (file: T) => number): T[][] {
  const batches: T[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const file of files) {
    if (bytes + bytesOf(file) > BYTES_AT_ONCE) {
      batches.push([]);
      bytes = 0;
    }
    bytes += bytesOf(file);
    batches.at(-1)?.push(file);
  }
  return batches;
}
