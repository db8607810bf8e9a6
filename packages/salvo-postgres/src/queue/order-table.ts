import type { Directions, OpenOrder, Work, WorkOrder } from 'salvo/kit/queue';
import type { Postgres, Row, Sql } from '../postgres/postgres.ts';
import { readGroups, readOrder } from './work-documents.ts';

/** Workers listen to it. */
export const WORK_CHANNEL = 'salvo_work';

/** What workers hear: that orders have changed, that directions for work under way have, or how many jobs are new. */
export type QueueNews = 'orders' | 'directions' | number;

export const ORDER_COLUMNS = `document, generation, stops, pointless, is_over, EXISTS (
    SELECT FROM salvo.leases WHERE leases.kind = work_orders.kind AND work_id = work_orders.id
      AND holder IS NOT NULL AND expires_at > now()) AS has_coordinator`;

export async function findOrder(sql: Sql, { kind, id }: Work): Promise<OpenOrder | null> {
  return await selectOrder(sql, 'kind = $1 AND id = $2', [kind, id]);
}

/** The order of this generation, which no other process changes before the end of the transaction. */
export async function lockOrder(sql: Sql, { kind, id }: Work, generation: number): Promise<OpenOrder | null> {
  const which = 'kind = $1 AND id = $2 AND generation = $3 FOR NO KEY UPDATE';
  return await selectOrder(sql, which, [kind, id, generation]);
}

async function selectOrder(sql: Sql, which: string, values: unknown[]): Promise<OpenOrder | null> {
  const [row] = await sql.query(`SELECT ${ORDER_COLUMNS} FROM salvo.work_orders WHERE ${which}`, values);
  return row ? orderRow(row) : null;
}

/** Opens the order for its coordinator. Whatever was left of it is thrown away if it is `fresh`. */
export async function openOrder(
  postgres: Postgres,
  order: WorkOrder,
  { fresh }: { fresh: boolean },
): Promise<OpenOrder> {
  const { kind, id } = order.work;
  return await postgres.transaction(async (sql) => {
    await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`salvo order ${kind} ${id}`]);
    const found = await findOrder(sql, order.work);
    if (found && !fresh) {
      await sql.query('UPDATE salvo.work_orders SET is_over = false WHERE kind = $1 AND id = $2', [kind, id]);
      return { ...found, directions: { ...found.directions, isOver: false } };
    }
    // The time, so that no generation returns after an order was closed and opened again.
    const [clock] = await sql.query('SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms');
    const next = Math.max(Number(clock?.ms), (found?.generation ?? 0) + 1);
    await sql.query('DELETE FROM salvo.work_orders WHERE kind = $1 AND id = $2', [kind, id]);
    await sql.query('INSERT INTO salvo.work_orders (kind, id, generation, document) VALUES ($1, $2, $3, $4)', [
      ...[kind, id, next, JSON.stringify(order)],
    ]);
    const directions: Directions = { stops: 0, pointless: [], isOver: false };
    return { order, generation: next, directions, hasCoordinator: true };
  });
}

export async function wakeWorkers(sql: Sql, news: QueueNews): Promise<void> {
  await sql.query('SELECT pg_notify($1, $2)', [WORK_CHANNEL, String(news)]);
}

/** Whoever could not listen for a while hears an empty text. */
export function readNews(payload: string): QueueNews {
  return payload === 'directions' ? payload : Number(payload) || 'orders';
}

export function orderRow(row: Row): OpenOrder | null {
  const order = readOrder(row.document);
  if (!order) return null;
  return {
    order,
    generation: Number(row.generation),
    directions: { stops: stopsOf(row.stops), pointless: readGroups(row.pointless), isOver: row.is_over === true },
    hasCoordinator: row.has_coordinator === true,
  };
}

function stopsOf(value: unknown): Directions['stops'] {
  return value === 0 ? 0 : value === 1 ? 1 : 2;
}
