import type { AgainstOutcome } from '../../run/compare/judge-against.ts';
import type { ReportDocument } from '../document/document.ts';
import { againstLines, differenceLines } from './against-words.ts';
import { comparisonReport } from './compare-report.ts';

/** How much of a comparison is shown. */
interface AgainstOptions {
  isGreen: boolean;
  /** Also of a run that passes. */
  full: boolean;
  /** With sentences beside the table. */
  isLong: boolean;
}

/** The comparison with a baseline below the report of a run. Of a run that passes, only what the baseline leaves open. */
export function againstReport(against: AgainstOutcome, { isGreen, full, isLong }: AgainstOptions): ReportDocument {
  const { comparison } = against;
  const hasTable = full || !isGreen;
  // The table of the comparison names the differences, too.
  const lines = [...againstLines(against, { onlyFallen: !hasTable }), ...(hasTable ? [] : differenceLines(against))];
  const isCompared = hasTable && comparison.scenarios.length > 0;
  return [{ lines }, ...(isCompared ? comparisonReport(comparison, { full: isLong }) : [])];
}
