import { LeftToWorkers, type WorkOrder } from 'salvo/kit/queue';
import { errorMessage } from 'salvo/kit/text';
import { coordinateOrder, isCoordinatedElsewhere } from './coordinate-order.ts';
import { kindOf } from './kinds.ts';
import type { WorkerContext } from './known-order.ts';

/** Somebody else has its lease, which may be that of a process that is gone. */
const SHORT_PAUSE_MS = 2000;
const LONG_PAUSE_MS = 30_000;

/** The orders that a worker coordinates because their coordinators are gone. */
export class Takeovers {
  readonly #context: Pick<WorkerContext, 'store' | 'onEvent'>;
  readonly #leave = new AbortController();
  readonly #underWay = new Map<string, Promise<void>>();
  /** Until when another attempt to coordinate an order would most likely fail again. */
  readonly #pauses = new Map<string, number>();

  constructor(context: Pick<WorkerContext, 'store' | 'onEvent'>) {
    this.#context = context;
  }

  get count(): number {
    return this.#underWay.size;
  }

  /** Has no effect if it is coordinated here already. */
  begin(order: WorkOrder): void {
    const { id } = order.work;
    const pausedUntil = this.#pauses.get(id) ?? 0;
    if (this.#underWay.has(id) || this.#leave.signal.aborted || performance.now() < pausedUntil) return;
    const coordinating = this.#coordinate(order)
      .catch((error: unknown) => this.#pause(order, error))
      .finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, coordinating);
  }

  /** Leaves everything to other workers. */
  async leave(): Promise<void> {
    this.#leave.abort();
    await Promise.allSettled(this.#underWay.values());
  }

  async #coordinate(order: WorkOrder): Promise<void> {
    const { store, onEvent } = this.#context;
    const { work } = order;
    const kind = await kindOf(work);
    const record = await kind.getRecord(store, work.id);
    if (record === null) return;
    await coordinateOrder(kind, {
      ...{ store, order, record, isTakenOver: true, leave: this.#leave.signal },
      onClaimed: () => onEvent({ type: 'coordinates', work }),
    });
  }

  /** The next worker may be able to, and so may this one a little later. */
  #pause({ work }: WorkOrder, error: unknown): void {
    // Somebody else was faster, or this worker leaves.
    const isExpected = error instanceof LeftToWorkers || isCoordinatedElsewhere(error);
    if (!isExpected && !this.#pauses.has(work.id))
      this.#context.onEvent({ type: 'cannot_coordinate', work, reason: errorMessage(error) });
    this.#pauses.set(work.id, performance.now() + (isExpected ? SHORT_PAUSE_MS : LONG_PAUSE_MS));
  }
}
