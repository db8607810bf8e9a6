import type { Severity } from '../claims/severity.ts';

/** A step for each severity; what is only informational still counts for something. */
const SEVERITY_WEIGHTS: Readonly<Record<Severity, number>> = { critical: 4, high: 3, medium: 2, low: 1, info: 0.5 };

/**
 * Recall with every vulnerability weighted by its severity: to miss a critical one costs four times what a low one does.
 * One that states no severity weighs as much as a medium one. 0 when there are none.
 */
export function severityWeightedRecall(
  vulnerabilities: readonly { severity: Severity | null; found: boolean }[],
): number {
  let [found, all] = [0, 0];
  for (const vulnerability of vulnerabilities) {
    const weight = SEVERITY_WEIGHTS[vulnerability.severity ?? 'medium'];
    all += weight;
    if (vulnerability.found) found += weight;
  }
  return all === 0 ? 0 : found / all;
}
