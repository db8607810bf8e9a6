import { setTimeout } from 'node:timers/promises';
import { loadSettings, openProjectStore, type Stoppable, type Workplace } from 'salvo/kit/project';
import { isWorkEvent, LeftToWorkers, type Work, type WorkOrder, type WorkQueue } from 'salvo/kit/queue';
import { openResources } from 'salvo/kit/resources';
import type { Store } from 'salvo/kit/store';
import { SalvoError, salvoCommand, salvoVersion } from 'salvo/kit/text';
import { coordinateOrder, isCoordinatedElsewhere, readFileOfOrder, workerAccessOf } from './coordinate-order.ts';
import { isKnown, kindOf, loadPackages, nameOf, recordOf, workKinds } from './kinds.ts';

export interface AttachOptions extends Workplace, Pick<Stoppable, 'stop'> {
  /** A run or an experiment: its id, the beginning of it, or `latest`. */
  target: string;
  /** Called if the work can be left to workers. Its signal is aborted when it is. */
  leave?: (() => AbortSignal) | undefined;
  /** Called with the kind of work that is followed: shows what is heard of it. */
  show?: ((kind: string) => Promise<(event: unknown) => void>) | undefined;
}

/**
 * Follows a run or an experiment that workers work on until it ends, and coordinates it if no process does. A stop only
 * leaves it: rejects with a `LeftToWorkers`. Returns what ended, as its kind reports it. Dispose of it when done.
 */
export async function attach(options: AttachOptions) {
  const { cwd = process.cwd(), env = process.env, patience, show } = options;
  await using resources = openResources();
  const project = await loadSettings(cwd);
  const store = resources.adopt(await openProjectStore(project, { env, mustExist: true, patience }), (each) =>
    each.close(),
  );
  const workerAccess = workerAccessOf(store);
  const work = await findWork(store, options.target);
  if (!(await isKnown(work))) await loadPackages(project);
  const kind = await kindOf(work);
  const onEvent = (await show?.(work.kind)) ?? (() => {});
  const order = await workerAccess.queue.orderOf(work);
  const readFile = async (name: string) => order && (await readFileOfOrder(workerAccess, order, name));
  const record = await recordOf(kind, store, work.id);
  const followed = await kind.follow({ record, store, workerAccess, project, readFile, onEvent });
  const outcome = await untilEnded(work, store, {
    stop: options.stop,
    hasEnded: async () => (await recordOf(kind, store, work.id)).status !== 'running',
    read: followed.read,
    coordinate: async (found) => {
      const ending = coordinateOrder(kind, {
        ...{ store, order: found, isTakenOver: true, leave: leaveSignal(options) },
        record: await recordOf(kind, store, work.id),
        // Its start and its results are told by who follows it. So none is missed that was stored before it was coordinated here.
        onEvent: (event) => (isWorkEvent(event) ? onEvent(event) : undefined),
      });
      return await readUntil(ending, followed.read);
    },
  });
  const ended = await followed.end(await recordOf(kind, store, work.id), outcome);
  return resources.keepFor({ kind: work.kind, ended });
}

/** What is under way comes before what has ended. */
async function findWork(store: Store, target: string): Promise<Work> {
  const { queue } = workerAccessOf(store);
  const open = (await queue.status()).orders.map(({ work }) => work);
  const named = target === 'latest' ? open : open.filter(({ id }) => id.startsWith(target));
  const newest = named.at(-1);
  if (newest && (named.length === 1 || target === 'latest')) return newest;
  if (named.length > 1) {
    const list = named.map(({ id }) => `\n  ${id}`).join('');
    throw new SalvoError(
      'RUN_AMBIGUOUS',
      `More than one begins with ${JSON.stringify(target)}. Give more of its id:${list}`,
    );
  }
  const stored = target === 'latest' ? [] : await findStored(store, target);
  const [found] = stored;
  if (found && stored.length === 1) return found;
  const what =
    target === 'latest' ? 'Nothing is under way.' : `There is no run and no experiment ${JSON.stringify(target)}.`;
  throw new SalvoError('RUN_NOT_AT_WORK', `${what} \`salvo report\` shows what has ended.`);
}

async function findStored(store: Store, target: string): Promise<Work[]> {
  const found: Work[] = [];
  for (const kind of await workKinds()) {
    for (const id of await kind.findIds(store, target, 2)) found.push({ kind: kind.kind, id });
  }
  return found;
}

const LOOK_MS = 300;

/**
 * Looks again and again until the work has ended. `coordinate` is called while no process does: returns what it returned;
 * null if the work ended elsewhere.
 */
async function untilEnded(
  work: Work,
  store: Store,
  how: Pick<Stoppable, 'stop'> & {
    hasEnded: () => Promise<boolean>;
    read: () => Promise<void>;
    coordinate: (order: WorkOrder) => Promise<unknown>;
  },
): Promise<unknown> {
  const { queue } = workerAccessOf(store);
  for (;;) {
    const hasEnded = await how.hasEnded();
    await how.read();
    if (hasEnded) return null;
    if (how.stop?.aborted) throw new LeftToWorkers(work);
    if ((await store.holderOf(work)) === null) {
      const order = await queue.orderOf(work);
      // It may have ended between the two looks.
      if (order === null && !(await how.hasEnded())) throw notUnderWay(work);
      if (order && (await mayCoordinate(order, queue))) {
        try {
          return await how.coordinate(order);
        } catch (error) {
          if (!isCoordinatedElsewhere(error)) throw error;
        }
      }
    }
    await setTimeout(LOOK_MS, undefined, { signal: how.stop }).catch(() => {});
  }
}

/** Reads again and again until the work has ended, and once more then. */
async function readUntil<T>(ending: Promise<T>, read: () => Promise<void>): Promise<T> {
  const over = new AbortController();
  const reading = (async () => {
    while (!over.signal.aborted) {
      await setTimeout(LOOK_MS, undefined, { signal: over.signal }).catch(() => {});
      await read();
    }
  })();
  // Until then, nobody waits for it: why the work did not end comes first.
  reading.catch(() => {});
  const outcome = await ending.finally(() => over.abort());
  await reading;
  return outcome;
}

/** What another version has begun is coordinated by workers of that version. Throws if there is none. */
async function mayCoordinate({ work, salvo_version: version }: WorkOrder, queue: WorkQueue): Promise<boolean> {
  if (version === salvoVersion()) return true;
  const workers = await queue.workers();
  if (workers.some(({ salvo_version }) => salvo_version === version)) return false;
  throw new SalvoError(
    'VERSION_DIFFERS',
    `${nameOf(work)} was started with Salvo ${version}, this is ${salvoVersion()}, and no worker of that version is there. Install ${version} where it should be done: npm install salvo@${version}`,
  );
}

function leaveSignal({ stop, leave }: AttachOptions): AbortSignal {
  const signals = [stop, leave?.()];
  return AbortSignal.any(signals.flatMap((signal) => signal ?? []));
}

function notUnderWay({ kind, id }: Work): SalvoError {
  return new SalvoError(
    'RUN_NOT_AT_WORK',
    `No process works on ${kind} ${id}, and no worker has it. To go on: ${salvoCommand()} ${kind} --resume ${id}`,
  );
}
