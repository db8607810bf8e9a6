import { type StoredComparison, storedComparisonSchema } from '../judge/which/stored-comparison.ts';
import { query, selectReadable, type TableEngine, type TableModule, type TableStore, upsert } from './table-module.ts';

/** A comparison of judges that can't be read. */
export interface UnreadableComparison {
  comparison_id: string;
  created_at: string;
  /** What is wrong with it. */
  why: string;
}

/** Judges that were compared on the same labels. Apart from `judgesOf`, so that runs need not load it. */
export type ComparisonTables = ReturnType<typeof comparisonTables>;

export function comparisonsOf(store: TableStore): ComparisonTables {
  return store.tables(comparisonModule);
}

const comparisonModule: TableModule<ComparisonTables> = {
  name: 'judge comparisons',
  migrations: {
    sqlite: [
      `
      CREATE TABLE @judge_comparisons (
        comparison_id TEXT PRIMARY KEY,
        created_at TEXT NOT NULL,
        comparison TEXT NOT NULL
      ) STRICT;
      `,
    ],
    postgres: [
      `
      CREATE TABLE @judge_comparisons (
        comparison_id text COLLATE "C" PRIMARY KEY,
        created_at text COLLATE "C" NOT NULL,
        comparison text NOT NULL
      );
      `,
    ],
  },
  open: comparisonTables,
};

function comparisonTables(engine: TableEngine) {
  return {
    /** Returns the comparison without secrets. */
    async saveComparison(given: StoredComparison): Promise<StoredComparison> {
      const comparison = engine.document('A comparison of judges', storedComparisonSchema, given);
      const { comparison_id, created_at } = comparison.value;
      const change = () => upsert('judge_comparisons', { comparison_id }, { created_at, comparison });
      await engine.write({ to: null, documents: [comparison], change });
      return comparison.value;
    },
    /** Does nothing if there is no such comparison. */
    deleteComparison(comparisonId: string): Promise<void> {
      function* change() {
        yield* query('DELETE FROM @judge_comparisons WHERE comparison_id = $1', [comparisonId]);
      }
      return engine.write({ to: null, documents: [], change });
    },
    /** Null if there is none. Throws if it can't be read. */
    async getComparison(comparisonId: string): Promise<StoredComparison | null> {
      const [found] = await engine.select(
        'SELECT comparison FROM @judge_comparisons WHERE comparison_id = $1',
        [comparisonId],
        (row) => row.document('comparison', 'A comparison of judges', storedComparisonSchema),
      );
      return found ?? null;
    },
    /** Newest first. Those that can't be read are left out, and passed to `onUnreadable`. */
    listComparisons: ({ onUnreadable }: { onUnreadable?: (comparison: UnreadableComparison) => void } = {}) =>
      selectReadable(
        engine,
        {
          text: `SELECT comparison_id, created_at, comparison FROM @judge_comparisons
                 ORDER BY created_at DESC, comparison_id`,
          values: [],
        },
        (row) => row.document('comparison', 'A comparison of judges', storedComparisonSchema),
        (row, why) =>
          onUnreadable?.({ comparison_id: row.text('comparison_id'), created_at: row.text('created_at'), why }),
      ),
  };
}
