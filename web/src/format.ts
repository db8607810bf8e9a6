const UNKNOWN = '—';

export function formatShare(share: number | null): string {
  return share === null ? UNKNOWN : `${Math.round(share * 1000) / 10}%`;
}

export function formatMoney(usd: number | null): string {
  if (usd === null) return UNKNOWN;
  if (usd === 0) return '$0';
  return usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(usd < 1 ? 3 : 2)}`;
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
