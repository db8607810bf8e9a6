import type { Stoppable } from 'salvo/kit/app';
import type { RunEvent, RunOutcome } from 'salvo/kit/run';
import type { Store } from 'salvo/kit/store';
import { leadRunOrder, workforceOf } from './lead-order.ts';
import { startLocalWorkers } from './local-workers.ts';
import { orderOfRun } from './order-of-run.ts';
import { leaveOf, type WorkerUse } from './worker-use.ts';

/** Lets workers perform the trials of a run, and leads it until it ends or is left to them. */
export async function runByWorkers(
  request: Omit<
    Parameters<typeof orderOfRun>[0],
    'labels' | 'early_stop' | 'retries' | 'judge_cache' | 'budget_usd'
  > & {
    options: Stoppable & {
      workers?: WorkerUse | undefined;
      concurrency?: number | undefined;
      retries?: number | undefined;
      judgeCache?: boolean | undefined;
      onEvent?: ((event: RunEvent) => void) | undefined;
    };
    store: Store;
    resumed: boolean;
    budgetUsd: number | null;
  },
): Promise<RunOutcome> {
  const { options, store, run, resumed, project, cwd, env } = request;
  const { workers = {}, concurrency = project.config.concurrency } = options;
  const order = await orderOfRun(
    {
      ...request,
      labels: workers.labels ?? [],
      early_stop: run.options.early_stop ?? false,
      retries: options.retries ?? null,
      judge_cache: options.judgeCache ?? true,
      budget_usd: request.budgetUsd,
    },
    workforceOf(store).queue,
  );
  await using local = startLocalWorkers(workers, { order, concurrency, cwd, env });
  const { stop, abort, onEvent } = options;
  return await leadRunOrder({
    store,
    order,
    run,
    resumed,
    isTakenOver: false,
    stop,
    abort,
    leave: leaveOf(workers),
    onEvent,
    local,
  });
}
