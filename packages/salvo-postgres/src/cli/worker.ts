import type { Terminal } from 'salvo/kit/cli';
import { databasePatience, salvoCommand } from 'salvo/kit/progress';
import { formatPlural } from 'salvo/kit/stats';
import { safeBlock } from 'salvo/kit/text';
import { nameOf } from '../work/kinds.ts';
import { runWorker } from '../work/worker.ts';
import type { WorkerEvent } from '../work/worker-event.ts';
import { tellParent } from '../work/worker-process.ts';
import type { WorkerCommandOptions } from './command-options.ts';

const SAID_QUIETLY = new Set<WorkerEvent['type']>(['order_refused', 'cannot_coordinate', 'warning']);

/** `salvo worker`: takes jobs until Ctrl-C. */
export async function workerCommand(options: WorkerCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env, stderr } = terminal;
  const { allowCode: allowed, env: variables, quiet, ...rest } = options;
  const allowCode = allowed === true ? 'all' : allowed;
  const granted = variables === true ? 'all' : variables;
  const gone = whenParentIsGone();
  const say = (text: string): void => {
    stderr.write(`${safeBlock(text)}\n`);
  };
  await runWorker({
    ...rest,
    ...{ cwd, env, allowCode, granted, patience: databasePatience(options, terminal) },
    command: salvoCommand(),
    stop: AbortSignal.any([terminal.stop, gone]),
    abort: AbortSignal.any([terminal.abort, gone]),
    onEvent: (event) => {
      if (event.type === 'order_refused' && tellParent({ refusal: event.reason })) return;
      if (!quiet || SAID_QUIETLY.has(event.type)) say(lineFor(event));
    },
  });
  return 0;
}

/** Aborted when the process is gone that started this one for a run of its own. */
function whenParentIsGone(): AbortSignal {
  const gone = new AbortController();
  if (process.connected) process.once('disconnect', () => gone.abort());
  return gone.signal;
}

function lineFor(event: WorkerEvent): string {
  switch (event.type) {
    case 'joined': {
      const { worker_id, host, pid, concurrency, labels } = event.worker;
      const has = labels.length > 0 ? `, labels ${labels.join(', ')}` : '';
      return `Worker ${worker_id} on ${host} (process ${pid}) takes up to ${formatPlural(concurrency, 'job')} at once${has}. Ctrl-C leaves.`;
    }
    case 'order_begun':
      return `${nameOf(event.work)}: begun${event.hasOwnProcess ? ', in a process of its own' : ''}.`;
    case 'order_ended':
      return `${nameOf(event.work)}: ended.${event.jobs === null ? '' : ` ${formatPlural(event.jobs, 'job')} done here.`}`;
    case 'order_refused':
      return `${nameOf(event.work)}: nothing of it is taken here. ${event.reason}`;
    case 'order_paused':
      return `${nameOf(event.work)}: nothing more of it is taken here. ${event.reason}`;
    case 'coordinates':
      return `${nameOf(event.work)}: its process is gone, so this worker coordinates it.`;
    case 'cannot_coordinate':
      return `${nameOf(event.work)}: its process is gone, and this worker cannot coordinate it. ${event.reason}`;
    case 'warning':
      return `${nameOf(event.work)}: ${event.message}`;
    case 'left':
      return `Left. ${formatPlural(event.jobs, 'job')} done in all.`;
  }
}
