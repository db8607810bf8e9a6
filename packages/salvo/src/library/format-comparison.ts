import type { RunComparison } from '../run/compare/compare-runs.ts';
import { type TextLook, wholeLook } from './text-look.ts';

/** `terminal` is what `salvo compare` prints. The comparison itself is its JSON document. */
export type ComparisonFormat = 'terminal' | 'markdown';

export interface FormatComparisonOptions extends TextLook {
  format: ComparisonFormat;
}

/** A comparison of runs as a text. */
export async function formatComparison(
  comparison: RunComparison,
  { format, ...look }: FormatComparisonOptions,
): Promise<string> {
  if (format === 'markdown') {
    return (await import('../report/compare/compare-report.ts')).comparisonMarkdown(comparison);
  }
  return (await import('../report/compare/compare-report.ts')).renderComparison(comparison, wholeLook(look));
}
