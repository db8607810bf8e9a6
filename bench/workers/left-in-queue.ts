import type { BenchDatabase } from './bench-server.ts';

/** What a run that has ended left behind in the queue: nothing, if all is well. */
export async function leftInQueue(database: BenchDatabase): Promise<string> {
  const [left] = await database.query(
    `SELECT (SELECT count(*) FROM salvo.jobs) AS jobs,
       (SELECT count(*) FROM salvo.work_orders) AS orders`,
  );
  return `left in the database: ${left?.jobs} jobs, ${left?.orders} orders`;
}
