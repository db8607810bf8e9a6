import type { GateEntry } from './gate-result.ts';

/** One check of one entry, with its outcome in words. */
export type Check = GateEntry['checks'][number];

export function passed(check: Check['check'], reason: string): Check {
  return { check, outcome: 'passed', reason };
}

export function failed(check: Check['check'], reason: string): Check {
  return { check, outcome: 'failed', reason };
}

export function unchecked(check: Check['check'], reason: string): Check {
  return { check, outcome: 'unchecked', reason };
}
