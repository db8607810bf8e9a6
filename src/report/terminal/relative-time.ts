const UNITS: readonly (readonly [seconds: number, unit: string])[] = [
  [365 * 86_400, 'y'],
  [30 * 86_400, 'mo'],
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
];

/** `3h ago`. A time that cannot be read is `-`; one in the future (another machine's clock) is `just now`. */
export function relativeTime(iso: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(iso)) / 1000;
  if (Number.isNaN(seconds)) return '-';
  const unit = UNITS.find(([length]) => seconds >= length);
  return unit ? `${Math.floor(seconds / unit[0])}${unit[1]} ago` : 'just now';
}
