import type { Factor } from '../candidates/matcher.ts';

/**
 * Where a pair's score comes from, as one sentence: what gave points first, then what could have and did not.
 * `0.55: category 0.30 (both are about encryption), resource 0.25 (...); nothing for severity (...)`
 */
export function explainPair(score: number, factors: readonly Factor[]): string {
  const given: string[] = [];
  const missing: string[] = [];
  for (const { name, points, reason } of factors) {
    if (Math.abs(points) >= 0.005) given.push(`${name} ${points.toFixed(2)} (${reason})`);
    else missing.push(`${name} (${reason})`);
  }
  const parts = [
    ...(given.length > 0 ? [given.join(', ')] : []),
    ...(missing.length > 0 ? [`nothing for ${missing.join(', ')}`] : []),
  ];
  return parts.length === 0 ? score.toFixed(2) : `${score.toFixed(2)}: ${parts.join('; ')}`;
}
