import type { Block, ReportDocument } from './document.ts';

/** An estimate, whatever it is of: who would be called how often, the totals, and what the numbers are based on. */
export function estimateReport(estimate: {
  calls: Block;
  totals: readonly string[];
  notes: readonly string[];
}): ReportDocument {
  const notes = [...estimate.notes, 'Nothing was called and nothing was stored.'];
  return [
    estimate.calls,
    { lines: estimate.totals.map((text) => ({ text, tone: 'bold' })) },
    { lines: notes.map((text) => ({ text, tone: 'dim' })) },
  ];
}
