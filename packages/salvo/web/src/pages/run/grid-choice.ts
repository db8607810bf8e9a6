import { runHref, whereHref } from '../../../../src/app/view/page-hrefs.ts';
import { TRIAL_STATUSES } from '../../parts/badge.tsx';
import type { GridQuery } from './grid-rows.ts';

/** The run may be named by the beginning of its id. */
export interface RunAddress {
  run: string;
  /** As for `readChoice`. */
  chosen: string;
}

/** The part of the address after `/where/`: which trials are looked at, and in which order. Unknown words are left out. */
export function readChoice(text: string): GridQuery {
  const words = new URLSearchParams(text);
  const named = (words.get('status') ?? '').split(',');
  return {
    statuses: new Set(TRIAL_STATUSES.filter((status) => named.includes(status))),
    order: words.get('order') === 'worst' ? 'worst' : 'file',
  };
}

/** The run with these trials chosen, in this order. */
export function chosenHref(run: string, { statuses, order }: GridQuery): string {
  const chosen = TRIAL_STATUSES.filter((status) => statuses.has(status));
  const words = [
    ...(chosen.length > 0 ? [`status=${chosen.join(',')}`] : []),
    ...(order === 'worst' ? ['order=worst'] : []),
  ];
  return whereHref(runHref(run), words.join('&'));
}
