import { type Cost, knownUsd } from './cost.ts';

// How a reader sees a number. The terminal, Markdown, JUnit and the pages all use these functions, so that one number
// has one text. A value that is missing or not finite is `—`.

/** What is shown where there is no value. */
export const MISSING = '—';

/** US dollars. Null is an unknown cost, which is never shown as 0. */
export function formatMoney(usd: number | null): string {
  if (usd === null || !Number.isFinite(usd)) return 'unknown';
  if (usd === 0) return '$0.00';
  if (usd < 0) return `-${formatMoney(-usd)}`;
  if (usd < 0.0001) return '<$0.0001';
  if (usd < 0.09995) return `$${usd.toFixed(4)}`;
  if (usd < 0.9995) return `$${usd.toFixed(3)}`;
  if (usd < 999.995) return `$${usd.toFixed(2)}`;
  return `$${formatCount(Math.round(usd))}`;
}

/** `$0.01`; `at least $199.96` if a part of it is unknown; `nothing` if no part of it is known. */
export function formatAmount(cost: Cost, nothing = 'unknown'): string {
  if (cost.usd !== null) return formatMoney(cost.usd);
  const known = knownUsd(cost);
  return known > 0 ? `at least ${formatMoney(known)}` : nothing;
}

/** The same with what is not in it: `at least $199.96; 4 calls unknown`. */
export function formatCost(cost: Cost | null, nothing = 'unknown'): string {
  if (cost === null) return MISSING;
  const amount = formatAmount(cost, nothing);
  if (cost.usd !== null || knownUsd(cost) <= 0) return amount;
  const { calls_unknown = 0, killed = false } = cost.at_least ?? {};
  const missing = [
    ...(calls_unknown > 0 ? [`${formatPlural(calls_unknown, 'call')} unknown`] : []),
    ...(killed ? ['a process was killed'] : []),
  ];
  return missing.length === 0 ? amount : `${amount}; ${missing.join(', ')}`;
}

/** What agents cost, and separately what judges cost: `$0.0137 + $0.0021 judges`. Judges that cost nothing are left out. */
export function formatCosts(agent: Cost, judges: Cost, users: Cost = { usd: 0 }): string {
  const further = (who: string, { usd, ...rest }: Cost): string => {
    if (usd === 0) return '';
    return usd === null ? ` + ${who} ${formatCost({ usd, ...rest })}` : ` + ${formatMoney(usd)} ${who}`;
  };
  return `${formatCost(agent, 'cost unknown')}${further('users', users)}${further('judges', judges)}`;
}

export function formatSeconds(seconds: number | null): string {
  if (seconds === null || !Number.isFinite(seconds)) return MISSING;
  if (seconds < 0.0005) return seconds > 0 ? '<1ms' : '0ms';
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)}ms`;
  if (seconds < 59.95) return `${seconds.toFixed(1)}s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${padded(whole % 60)}s`;
  return `${formatCount(Math.floor(whole / 3600))}h ${padded(Math.floor((whole % 3600) / 60))}m`;
}

/** How long trials took: a dash if none was scored, and "unknown" if the time of one of them is. */
export function formatLatency(scored: number, quantiles: readonly (number | null)[], between = '/'): string {
  if (scored === 0) return MISSING;
  return quantiles.includes(null) ? 'unknown' : quantiles.map(formatSeconds).join(between);
}

function padded(value: number): string {
  return String(value).padStart(2, '0');
}

/** A rate as a percentage. Only 1 is 100% and only 0 is 0%: 999 of 1000 is 99.9%. */
export function formatPercent(rate: number | null): string {
  if (rate === null || !Number.isFinite(rate)) return MISSING;
  if (rate >= 1) return '100%';
  if (rate <= 0) return '0%';
  if (rate > 0.999) return '>99.9%';
  if (rate < 0.001) return '<0.1%';
  const percent = rate * 100;
  return percent >= 99.5 || percent < 0.5 ? `${percent.toFixed(1)}%` : `${Math.round(percent)}%`;
}

/** The two ends of an interval of rates: `84–100%`, with as many digits as tell them apart: `99.98–100%`. */
export function formatInterval(interval: readonly [number, number] | null): string {
  if (interval === null) return MISSING;
  const [low, high] = interval;
  const ends = (digits: number) => [low, high].map((end) => String(Number((end * 100).toFixed(digits))));
  const told = [0, 1, 2].map(ends).find(([from, to]) => from !== to) ?? ends(low === high ? 0 : 3);
  return `${told.join('–')}%`;
}

/** A score from 0 to 1 with two decimals. Only 1 is `1.00` and only 0 is `0.00`: 0.996 is `0.99`. */
export function formatScore(score: number | null): string {
  if (score === null || !Number.isFinite(score)) return MISSING;
  if (score < 1 && score >= 0.995) return '0.99';
  if (score > 0 && score < 0.005) return '0.01';
  return twoDigits(score);
}

export function formatCount(count: number | null): string {
  if (count === null || !Number.isFinite(count)) return MISSING;
  return String(Math.trunc(count)).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 trial`, `1,200 trials`, `2 retries`. */
export function formatPlural(count: number, noun: string): string {
  const plural = `${noun.replace(/(?<=[^aeiou])y$/, 'ie')}s`;
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

const MOST_GROUPS = 8;

/** Trial numbers with neighbours joined: `1-3, 7, 9`. At most 8 groups; `unlisted` are further ones. */
export function formatNumbers(numbers: readonly number[], unlisted = 0): string {
  const groups: [first: number, last: number][] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const group = groups.at(-1);
    if (group && number <= group[1] + 1) group[1] = number;
    else groups.push([number, number]);
  }
  const listed = groups
    .slice(0, MOST_GROUPS)
    .map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
  const listedCount = groups.slice(0, MOST_GROUPS).reduce((sum, [first, last]) => sum + last - first + 1, 0);
  const rest = new Set(numbers).size - listedCount + unlisted;
  return rest > 0 ? `${listed.join(', ')} and ${formatCount(rest)} more` : listed.join(', ');
}

/** A number with two decimals, such as a correlation. What rounds to zero has no minus sign. */
export function twoDigits(value: number | null): string {
  return decimal(value, 2);
}

/** A number with one decimal, such as the weight that failures cost. */
export function oneDigit(value: number | null): string {
  return value !== null && Math.abs(value) >= 999.95 ? formatCount(Math.round(value)) : decimal(value, 1);
}

function decimal(value: number | null, digits: number): string {
  if (value === null || !Number.isFinite(value)) return MISSING;
  return value.toFixed(digits).replace(/^-(?=[0.]+$)/, '');
}

/** The same with a plus sign for a gain. */
export function signedTwoDigits(value: number | null): string {
  const text = twoDigits(value);
  return value !== null && value > 0 && text !== '0.00' ? `+${text}` : text;
}

/** Both ends of an interval of such numbers: `0.31 to 0.52`. */
export function twoDigitsInterval(interval: readonly [number, number] | null): string {
  return interval === null ? MISSING : interval.map(twoDigits).join(' to ');
}

/** Differences smaller than this come from adding up doubles. */
const SMALLEST_POINTS = 1e-9;

/** A difference of rates in percentage points: `-12`, `+3.5`. Only no difference is `0`. */
export function formatPoints(difference: number | null): string {
  if (difference === null || !Number.isFinite(difference)) return MISSING;
  const size = 100 * Math.abs(difference);
  if (size < SMALLEST_POINTS) return '0';
  const text = size < 9.95 ? Math.max(size, 0.1).toFixed(1).replace(/\.0$/, '') : size.toFixed(0);
  return `${difference < 0 ? '-' : '+'}${text}`;
}

/** Both ends of an interval of differences: `-21 to +3`. */
export function formatPointsInterval(interval: readonly [number, number] | null): string {
  return interval === null ? MISSING : interval.map(formatPoints).join(' to ');
}

/** A difference with its unit: `-12 points`, `+1 point`. */
export function formatDifference(difference: number | null): string {
  const text = formatPoints(difference);
  return text === MISSING ? text : `${text} ${/^[+-]1$/.test(text) ? 'point' : 'points'}`;
}

/** How large a difference is, whichever way it goes: `12 points`. */
export function formatPointsSize(difference: number | null): string {
  return formatDifference(difference).replace(/^[+-]/, '');
}

/** A p value for a column: `0.42`, `0.031`, `0.0004`, `<0.0001`. */
export function formatP(p: number | null): string {
  if (p === null || !Number.isFinite(p)) return MISSING;
  if (p < 0.0001) return '<0.0001';
  return p.toFixed(p < 0.00095 ? 4 : p < 0.0995 ? 3 : 2);
}

/** A p value in a sentence: `p = 0.031`, `p < 0.0001`. */
export function pEquation(p: number | null): string {
  const text = formatP(p);
  return text.startsWith('<') ? `p < ${text.slice(1)}` : `p = ${text}`;
}

/** How many times as much: `1.5x`, `12x`. */
export function formatRatio(ratio: number): string {
  return `${ratio < 9.95 ? decimal(ratio, 1) : formatCount(Math.round(ratio))}x`;
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `512 B`, `1.2 MB`, `15 GB`. */
export function formatBytes(bytes: number | null): string {
  if (bytes === null || !Number.isFinite(bytes)) return MISSING;
  let value = bytes;
  let at = 0;
  // 999.6 kB would be rounded to 1000 kB.
  while (value >= 999.5 && at < BYTE_UNITS.length - 1) {
    value /= 1000;
    at += 1;
  }
  return `${at > 0 && value < 9.95 ? value.toFixed(1) : formatCount(Math.round(value))} ${BYTE_UNITS[at]}`;
}

const UNITS: readonly (readonly [seconds: number, unit: string])[] = [
  [365 * 86_400, 'y'],
  [30 * 86_400, 'mo'],
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
];

/** `3h ago`. A time that cannot be read is `—`; one in the future (another machine's clock) is `just now`. */
export function relativeTime(iso: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(iso)) / 1000;
  if (Number.isNaN(seconds)) return MISSING;
  const unit = UNITS.find(([length]) => seconds >= length);
  return unit ? `${Math.floor(seconds / unit[0])}${unit[1]} ago` : 'just now';
}
