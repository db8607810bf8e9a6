import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';
import { textFree } from '../secrets/text-marks.ts';
import { errorCode, SalvoError } from '../text/errors/salvo-error.ts';

/** What one process at a time works on. */
export const workSchema = z.object({
  /** `run`, or a kind that a package brings. */
  kind: z.string(),
  id: z.string(),
});

export type Work = z.infer<typeof workSchema>;

/**
 * The right to work on something. It is renewed in the store for as long as it is held, and ends by itself when its
 * process does. Disposing of it gives it back.
 */
export interface Lease extends AsyncDisposable {
  /** Aborted when another process has taken over, because this one was suspended for too long. */
  readonly lost: AbortSignal;
  /** Aborted when somebody asked through the store to stop, as the first Ctrl-C does. */
  readonly stop: AbortSignal;
  /** Aborted when somebody asked once more, as the second Ctrl-C does. */
  readonly abort: AbortSignal;
}

type Claim = (work: Work) => Promise<Lease>;

/** Claims, and does what comes before everything else. If that fails, the lease is given back. */
export function claimAndFirst(claim: Claim, first: (work: Work, lease: Lease) => Promise<void>): Claim {
  return async (work) => {
    const lease = await claim(work);
    try {
      await first(work, lease);
      return lease;
    } catch (error) {
      await lease[Symbol.asyncDispose]();
      throw error;
    }
  };
}

/** The signals of the caller, joined with those of the lease: the first signal counts. */
export function joinedSignals(
  caller: { stop?: AbortSignal | undefined; abort?: AbortSignal | undefined },
  { lost, stop, abort }: Lease,
): { stop: AbortSignal; abort: AbortSignal } {
  return {
    stop: AbortSignal.any([stop, lost, ...(caller.stop ? [caller.stop] : [])]),
    abort: AbortSignal.any([abort, lost, ...(caller.abort ? [caller.abort] : [])]),
  };
}

/** The holder of a lease must renew it within this time. */
export const LEASE_MS = 10_000;

/** A process that holds leases. */
export const holderSchema = z.object({
  pid: z.int(),
  /** When the process began, as its machine counts: process ids are used again. Empty where that is not known. */
  started: textFree(z.string()),
  /** Where `pid` means something: the machine and its process namespace. */
  place: textFree(z.string()),
});

export type Holder = z.infer<typeof holderSchema>;

/** A process that works on something. */
export interface Worker extends Holder {
  /** How often it was asked to stop. */
  stops: number;
}

let self: Holder | undefined;

export function thisHolder(): Holder {
  self ??= {
    pid: process.pid,
    started: processStart(process.pid) ?? '',
    place: `${hostname()}:${processNamespace()}`,
  };
  return self;
}

/**
 * Whether a holder has certainly ended, so that no process has to wait for the end of its lease. A process of the same
 * id may be a zombie or another program.
 */
export function isGone({ pid, started, place }: Holder): boolean {
  if (place !== thisHolder().place) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
  return started !== '' && processStart(pid) !== started;
}

/** Null for a zombie, and where there is no /proc. */
function processStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name of the program in brackets, which may have blanks in it.
    const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return 'ZX'.includes(state) ? null : (rest[18] ?? null);
  } catch {
    return null;
  }
}

/** Containers on one machine may share its host name, and yet have process ids of their own. */
function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  } catch {
    return '';
  }
}

/**
 * Two processes would pay for the same twice. With `canAttach` the store is shared: the process may be a
 * worker on another machine, which nobody should stop, and anyone can follow the work.
 */
export function atWork({ kind, id }: Work, { pid }: Holder, { canAttach }: { canAttach: boolean }): SalvoError {
  const advice = canAttach
    ? `Follow it with \`salvo attach ${id}\`, or wait for it, then resume.`
    : 'Wait for it or stop it with Ctrl-C, then resume.';
  return new SalvoError(
    'AT_WORK',
    `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)} ${id} is still at work in process ${pid}. ${advice}`,
  );
}

export function leaseLost({ kind, id }: Work): SalvoError {
  return new SalvoError(
    'LEASE_LOST',
    `Another process has taken over ${kind} ${id}, because this one did not respond for ${LEASE_MS / 1000} s. This one stopped; what it stored before is kept.`,
    { outcome: 'unscored' },
  );
}
