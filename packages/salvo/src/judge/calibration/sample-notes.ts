import type { Agreement } from './calibration-record.ts';
import type { Comparison } from './comparison.ts';
import { joinCopies } from './sample-places.ts';

/** What the figures of a calibration take into account, and what they assume: a sentence each. */
export function sampleNotes(
  comparisons: readonly Comparison[],
  { overall, skipped }: { overall: Agreement; skipped: number },
): string[] {
  const places = comparisons.flatMap(({ sample }) => sample ?? []);
  const copies = comparisons.length - joinCopies(comparisons).length;
  const notes: string[] = [];
  if (copies > 0) {
    notes.push(
      `${copies} ${copies === 1 ? 'label is' : 'labels are'} on copies of an answer that has one: copies count once.`,
    );
  }
  if (overall.cases !== undefined) {
    notes.push(
      `The ${overall.n} labelled answers are of ${overall.cases} ${overall.cases === 1 ? 'case' : 'cases'}. Answers of one case may be alike, so the intervals are those of cases.`,
    );
  } else if (places.length > 1 && places.every(({ cluster, copy }) => cluster === null && copy === null)) {
    notes.push(
      'No label names its case, task or id, so each is taken for another answer that is independent of the others.',
    );
  }
  if (places.some(({ weight }) => weight !== null)) {
    notes.push('Doubtful trials were more likely to be drawn, so each label is weighted by its chance of being drawn.');
  }
  if (skipped > 0) {
    notes.push(
      `${skipped} ${skipped === 1 ? 'trial was' : 'trials were'} drawn and not labelled. If these are the difficult ones, the judge looks better than it is.`,
    );
  }
  return notes;
}
