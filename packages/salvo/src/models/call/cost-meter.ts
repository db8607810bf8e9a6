import { AsyncLocalStorage } from 'node:async_hooks';

/** What the calls of one piece of work have cost, as far as it is known. */
interface CostMeter {
  knownUsd: number;
}

const current = new AsyncLocalStorage<CostMeter>();

/** Counts the calls that `work` makes, also if it fails or is given up. Teams share one caller, which knows no game. */
export function metered<T>(meter: CostMeter, work: () => Promise<T>): Promise<T> {
  return current.run(meter, work);
}

/** To be called with what each answer has cost. */
export function meterCost(usd: number | null): void {
  const meter = current.getStore();
  if (meter) meter.knownUsd += usd ?? 0;
}
