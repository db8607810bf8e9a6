import type { WorkKind, WorkRequest, WorkTypes } from 'salvo/kit/work';
import { fileHash } from '../bundle/bundle-document.ts';
import { packProject, sendBundle } from '../bundle/pack-project.ts';
import { coordinateOrder, workerAccessOf } from './coordinate-order.ts';
import { startLocalWorkers } from './local-workers.ts';
import { newOrder } from './order-settings.ts';

/** Sends what workers need, lets them work, and coordinates them until the work ends or is left to them. */
export async function performWork<T extends WorkTypes>(
  kind: WorkKind<T>,
  request: WorkRequest<T>,
): Promise<T['outcome']> {
  const { id, store, project, cwd, env, workers = {}, concurrency, labels, settings, files = {} } = request;
  const packed = await packProject({ project, cwd, env, needs: request.needs });
  const named = Object.entries(files).map(([name, content]) => ({ name, content, hash: fileHash(content) }));
  const contents = new Map([...packed.contents, ...named.map(({ hash, content }) => [hash, content] as const)]);
  await sendBundle({ contents }, workerAccessOf(store).queue);
  const order = newOrder({ kind: kind.kind, id }, packed, {
    labels,
    budget_usd: request.budgetUsd,
    files: Object.fromEntries(named.map(({ name, hash }) => [name, hash])),
    own: settings,
  });
  await using local = startLocalWorkers(workers, { order, concurrency, cwd, env });
  const { record, stop, abort, onEvent } = request;
  const leave = workers.detach ? AbortSignal.abort() : workers.leave?.();
  return await coordinateOrder(kind, { store, order, record, isTakenOver: false, stop, abort, leave, onEvent, local });
}
