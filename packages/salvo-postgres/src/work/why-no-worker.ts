import type { Work, WorkerDescription, WorkOrder, WorkQueue } from 'salvo/kit/queue';
import { salvoCommand, shellQuote } from 'salvo/kit/text';
import { labelsOfOrder } from './order-settings.ts';

type LookedAtQueue = Pick<WorkQueue, 'status' | 'orderOf' | 'workers'>;

/**
 * Why the work that another process coordinates waits for workers, and what to start; null if it does not wait. Also null for
 * a user of the database who may read results but not jobs.
 */
export async function whyWaiting(queue: LookedAtQueue, work: Work): Promise<string | null> {
  return await reasonToWait(queue, work).catch(() => null);
}

async function reasonToWait(queue: LookedAtQueue, work: Work): Promise<string | null> {
  const order = await queue.orderOf(work);
  const reason = order && whyNoWorker(await queue.workers(), order, { canStartLocal: false });
  if (reason === null) return null;
  // Only now: a page asks again and again, and the jobs of all orders are counted.
  const { orders } = await queue.status();
  const jobs = orders.find((each) => each.work.kind === work.kind && each.work.id === work.id);
  return !jobs || jobs.waiting === 0 || jobs.active > 0 ? null : reason;
}

/**
 * Why none of the workers can take jobs of an order, and what to type; null if one can. `canStartLocal`: the reader can
 * start the work again with processes of its own.
 */
export function whyNoWorker(
  workers: readonly WorkerDescription[],
  order: WorkOrder,
  { canStartLocal = true }: { canStartLocal?: boolean } = {},
): string | null {
  const { salvo_version: version, code } = order;
  const wanted = labelsOfOrder(order);
  const ofVersion = workers.filter((worker) => worker.salvo_version === version);
  const allowed = ofVersion.filter(({ allowed_code }) => mayExecute(allowed_code, code));
  const start = `Start one where the work should be done: ${commandFor(wanted[0] ?? [], code)}`;
  if (workers.length === 0) {
    return `No worker is there. ${start}${canStartLocal ? `, or start it with \`${salvoCommand()} ${order.work.kind} --local-workers 2\`.` : ''}`;
  }
  if (ofVersion.length === 0) {
    const seen = workers
      .slice(0, 5)
      .map(({ host, pid, salvo_version }) => `${host} (process ${pid}): ${salvo_version}`);
    const more = workers.length > seen.length ? `, and ${workers.length - seen.length} more` : '';
    return `All workers have another version of Salvo (${seen.join(', ')}${more}). This ${order.work.kind} needs ${version}, so that all of it is judged by one version. Update them: npm install salvo@${version}; or start one of it: ${commandFor(wanted[0] ?? [], code)}`;
  }
  if (allowed.length === 0) {
    return `No worker may execute the code that is needed. ${start}, or \`${salvoCommand()} worker --allow-code ${code.join(' ')}\` for exactly this code.`;
  }
  const missing = wanted.find(
    (labels) => !allowed.some((worker) => labels.every((each) => worker.labels.includes(each))),
  );
  if (!missing) return null;
  return `No worker has ${missing.length === 1 ? 'the label' : 'all labels of'} ${missing.join(', ')}. Start one: ${commandFor(missing, code)}`;
}

/** Those that can take some job of it. */
export function fittingWorkers(workers: readonly WorkerDescription[], order: WorkOrder): WorkerDescription[] {
  const wanted = labelsOfOrder(order);
  return workers.filter(
    (worker) =>
      worker.salvo_version === order.salvo_version &&
      mayExecute(worker.allowed_code, order.code) &&
      wanted.some((labels) => labels.every((each) => worker.labels.includes(each))),
  );
}

export function mayExecute(allowed: WorkerDescription['allowed_code'], code: readonly string[]): boolean {
  return allowed === 'all' || code.every((hash) => allowed.includes(hash));
}

function commandFor(labels: readonly string[], code: readonly string[]): string {
  const flags = [
    ...(labels.length > 0 ? [`--labels ${shellQuote(labels.join(','))}`] : []),
    ...(code.length > 0 ? ['--allow-code'] : []),
  ];
  return [`${salvoCommand()} worker`, ...flags].join(' ');
}
