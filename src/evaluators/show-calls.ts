import { shorten } from './show-value.ts';

const MAX_SHOWN = 5;

/** Calls in the order of their first appearance, equal ones counted: `lookup_order (2x), send_email`. */
export function showCalls(calls: string[]): string {
  const counts = new Map<string, number>();
  for (const call of calls) counts.set(call, (counts.get(call) ?? 0) + 1);
  const shown = [...counts]
    .slice(0, MAX_SHOWN)
    .map(([call, count]) => (count === 1 ? shorten(call, 120) : `${shorten(call, 120)} (${count}x)`));
  if (counts.size > MAX_SHOWN) shown.push(`and ${counts.size - MAX_SHOWN} more`);
  return shown.join(', ');
}

export function showTimes(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
