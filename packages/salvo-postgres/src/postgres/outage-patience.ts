import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabasePatience, PATIENCE_SECONDS } from 'salvo/kit/commands';
import { errorCode, errorMessage } from 'salvo/kit/text';
import { type DatabasePlace, isConflict, isConnectionLost, postgresError } from './postgres-error.ts';

interface Clock {
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

const SYSTEM_CLOCK: Clock = { now: () => performance.now(), sleep: (ms) => sleep(ms) };
const LONGEST_PAUSE_MS = 2000;
/** A restart that is over by then is nothing that a user has to know. */
const FIRST_WORD_MS = 5000;
const NEXT_WORD_MS = 120_000;

/**
 * Returns a function that repeats an attempt while the database can't be reached, or another transaction is in its way.
 * All attempts share one patience: a caller that gave up has a few more statements to send, such as giving back its
 * leases. Once the user has asked to stop, an outage is waited for no longer than at the start.
 */
export function createOutagePatience(options: {
  at: DatabasePlace;
  patience?: DatabasePatience | undefined;
  isClosing: () => boolean;
  clock?: Clock;
}): <T>(attempt: () => Promise<T>) => Promise<T> {
  const { at, patience, isClosing, clock = SYSTEM_CLOCK } = options;
  /** Since when nothing could be done at all. */
  let downSince: number | null = null;
  let saidAt: number | null = null;

  function limitMs(): number {
    const seconds = patience?.outageSeconds ?? PATIENCE_SECONDS;
    return 1000 * (patience?.signal?.aborted ? Math.min(seconds, PATIENCE_SECONDS) : seconds);
  }

  function tell(since: number, error: unknown): void {
    const now = clock.now();
    if (now - since < FIRST_WORD_MS || (saidAt !== null && now - saidAt < NEXT_WORD_MS)) return;
    saidAt = now;
    patience?.onWaiting(
      `The database ${at.place} can't be reached for ${seconds(now - since)} (${errorMessage(error) || errorCode(error)}). The work goes on when it is back; it is waited for up to ${limitMs() / 1000} s (\`salvo ... --wait SECONDS\`).`,
    );
  }

  function isBack(): void {
    if (saidAt !== null && downSince !== null)
      patience?.onWaiting(`The database ${at.place} is back after ${seconds(clock.now() - downSince)}.`);
    downSince = null;
    saidAt = null;
  }

  return async (attempt) => {
    const began = clock.now();
    for (let pause = 50; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        const value = await attempt();
        isBack();
        return value;
      } catch (error) {
        const isLost = isConnectionLost(error) && !isClosing();
        if (isConnectionLost(error)) downSince ??= clock.now();
        const since = Math.min(began, downSince ?? began);
        const limit = isLost ? limitMs() : PATIENCE_SECONDS * 1000;
        if (!(isLost || isConflict(error)) || clock.now() > since + limit) throw postgresError(at, error);
        if (isLost) tell(since, error);
        await clock.sleep(pause * (0.5 + Math.random() / 2));
      }
    }
  };
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
