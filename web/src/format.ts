import { formatCost as costText, formatMoney as moneyText } from '../../src/report/terminal/format.ts';
import type { Cost } from '../../src/stats/cost.ts';

const UNKNOWN = '—';

export function formatShare(share: number | null): string {
  return share === null ? UNKNOWN : `${Math.round(share * 1000) / 10}%`;
}

/** As in the terminal. */
export function formatMoney(usd: number | null): string {
  return usd === null ? UNKNOWN : moneyText(usd);
}

/** `at least $199.96; 4 calls unknown` if a part of it is unknown, as in the terminal. */
export function formatCost(cost: Cost | null): string {
  return cost === null ? UNKNOWN : costText(cost, UNKNOWN);
}

export function formatDuration(seconds: number | null): string {
  if (seconds === null) return UNKNOWN;
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export function formatTime(iso: string): string {
  return TIME.format(new Date(iso));
}
