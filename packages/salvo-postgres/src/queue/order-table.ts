import { type Directions, LEASE_MS, type OpenOrder, type Work, type WorkOrder } from 'salvo/kit/queue';
import type { Postgres, Row, Sql } from '../postgres/postgres.ts';
import { readGroups, readLabelSets, readOrder } from './work-documents.ts';

/** An order as it is in the database. */
export interface OrderRow extends OpenOrder {
  /** The sets of labels that its jobs have. */
  labelSets: string[][];
}

/** Workers listen to it. */
export const WORK_CHANNEL = 'salvo_work';

/** What workers hear: that orders have changed, that directions for work under way have, or how many jobs are new. */
export type QueueNews = 'orders' | 'directions' | number;

export const ORDER_COLUMNS = `document, generation, label_sets, stops, pointless, is_over,
  coalesce(coordinated_at > now() - interval '${LEASE_MS} ms', false) AS has_coordinator`;

export function readOrders(sql: Sql): Promise<OrderRow[]> {
  return selectOrders(sql, 'ORDER BY created_at, kind, id', []);
}

export async function findOrder(sql: Sql, { kind, id }: Work): Promise<OrderRow | null> {
  const [order] = await selectOrders(sql, 'WHERE kind = $1 AND id = $2', [kind, id]);
  return order ?? null;
}

/** The order of this generation, which no other process changes before the end of the transaction. */
export async function lockOrder(sql: Sql, { kind, id }: Work, generation: number): Promise<OrderRow | null> {
  const which = 'WHERE kind = $1 AND id = $2 AND generation = $3 FOR NO KEY UPDATE';
  const [order] = await selectOrders(sql, which, [kind, id, generation]);
  return order ?? null;
}

async function selectOrders(sql: Sql, rest: string, values: unknown[]): Promise<OrderRow[]> {
  const rows = await sql.query(`SELECT ${ORDER_COLUMNS} FROM salvo.work_orders ${rest}`, values);
  return rows.flatMap((row) => orderRow(row) ?? []);
}

/** The order has the coordinator `coordinatorId` from now on. Whatever was left of it is thrown away if it is `fresh`. */
export async function openOrder(
  postgres: Postgres,
  order: WorkOrder,
  { fresh, coordinatorId }: { fresh: boolean; coordinatorId: string },
): Promise<OrderRow> {
  const { kind, id } = order.work;
  return await postgres.transaction(async (sql) => {
    await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`salvo order ${kind} ${id}`]);
    const found = await findOrder(sql, order.work);
    if (found && !fresh) {
      await sql.query(
        'UPDATE salvo.work_orders SET coordinator_id = $3, coordinated_at = now(), is_over = false WHERE kind = $1 AND id = $2',
        [kind, id, coordinatorId],
      );
      return { ...found, directions: { ...found.directions, isOver: false }, hasCoordinator: true };
    }
    // The time, so that no generation returns after an order was closed and opened again.
    const [clock] = await sql.query('SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms');
    const next = Math.max(Number(clock?.ms), (found?.generation ?? 0) + 1);
    await sql.query('DELETE FROM salvo.work_orders WHERE kind = $1 AND id = $2', [kind, id]);
    await sql.query(
      'INSERT INTO salvo.work_orders (kind, id, generation, document, coordinator_id, coordinated_at) VALUES ($1, $2, $3, $4, $5, now())',
      [kind, id, next, JSON.stringify(order), coordinatorId],
    );
    const directions: Directions = { stops: 0, pointless: [], isOver: false };
    return { order, generation: next, labelSets: [], directions, hasCoordinator: true };
  });
}

/**
 * The coordinators are still there. An order that a transaction has locked is not waited for, because jobs would not be
 * renewed meanwhile: a process that is paused in a transaction keeps its locks for longer than a lease.
 */
export async function renewLeads(sql: Sql, coordinatorIds: readonly string[]): Promise<void> {
  await sql.query(
    `UPDATE salvo.work_orders SET coordinated_at = now() WHERE (kind, id) IN (
       SELECT kind, id FROM salvo.work_orders WHERE coordinator_id = ANY($1) FOR NO KEY UPDATE SKIP LOCKED)`,
    [coordinatorIds],
  );
}

export async function wakeWorkers(sql: Sql, news: QueueNews): Promise<void> {
  await sql.query('SELECT pg_notify($1, $2)', [WORK_CHANNEL, String(news)]);
}

/** Whoever could not listen for a while hears an empty text. */
export function readNews(payload: string): QueueNews {
  return payload === 'directions' ? payload : Number(payload) || 'orders';
}

export function orderRow(row: Row): OrderRow | null {
  const order = readOrder(row.document);
  if (!order) return null;
  return {
    order,
    generation: Number(row.generation),
    labelSets: readLabelSets(row.label_sets),
    directions: { stops: stopsOf(row.stops), pointless: readGroups(row.pointless), isOver: row.is_over === true },
    hasCoordinator: row.has_coordinator === true,
  };
}

function stopsOf(value: unknown): Directions['stops'] {
  return value === 0 ? 0 : value === 1 ? 1 : 2;
}
