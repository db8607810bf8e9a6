import type { StoredComparison } from '../../../judge/which/stored-comparison.ts';
import { comparisonsOf, type UnreadableComparison } from '../../../store/comparison-tables.ts';
import type { Store } from '../../../store/store.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';

/** What a list shows of a comparison of judges. */
export type ComparisonLine = ReturnType<typeof lineOf>;

/** All comparisons of judges, newest first, and those that can't be read. */
export async function comparisonLines(
  store: Store | null,
): Promise<{ comparisons: ComparisonLine[]; unreadable: UnreadableComparison[] }> {
  const unreadable: UnreadableComparison[] = [];
  if (store === null) return { comparisons: [], unreadable };
  const all = await comparisonsOf(store).listComparisons({ onUnreadable: (each) => unreadable.push(each) });
  return { comparisons: all.map(lineOf), unreadable };
}

export async function comparisonView(store: Store, id: string): Promise<StoredComparison> {
  const found = await comparisonsOf(store).getComparison(id);
  if (!found) throw new SalvoError('TARGET_UNKNOWN', `No comparison of judges has the id ${JSON.stringify(id)}.`);
  return found;
}

function lineOf({ comparison_id, created_at, labels, labels_file, reference, judges }: StoredComparison) {
  return {
    ...{ comparison_id, created_at, labels_file, reference, answers: labels.answers },
    judges: judges.map(({ name, verdict, agreement }) => ({ name, verdict, agreement: agreement.rate })),
  };
}
