import { type MutateDocument, mutateDocumentSchema } from '../mutate/mutate-document.ts';
import { insert, selectReadable, type TableEngine, type TableModule, type TableStore } from './table-module.ts';

/** What `salvo mutate` found, newest first. */
export type MutationTables = ReturnType<typeof mutationTables>;

export function mutationsOf(store: TableStore): MutationTables {
  return store.tables(mutationModule);
}

const mutationModule: TableModule<MutationTables> = {
  name: 'mutations',
  migrations: {
    sqlite: [
      `
      CREATE TABLE @mutations (
        seq INTEGER PRIMARY KEY,         -- in order of creation
        mutation_id TEXT NOT NULL UNIQUE,
        run_id TEXT NOT NULL,            -- may have been deleted since
        record TEXT NOT NULL
      ) STRICT;
      `,
    ],
    postgres: [
      `
      CREATE TABLE @mutations (
        seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
        mutation_id text COLLATE "C" PRIMARY KEY,
        run_id text COLLATE "C" NOT NULL,
        record text NOT NULL
      );
      `,
    ],
  },
  open: mutationTables,
};

function mutationTables(engine: TableEngine) {
  const select = (rest: string, values: (string | number)[]): Promise<MutateDocument[]> =>
    selectReadable(
      engine,
      { text: `SELECT mutation_id, record FROM @mutations ${rest}`, values },
      (row) => row.document('record', 'A result of salvo mutate', mutateDocumentSchema),
      () => {},
    );
  return {
    /** Returns the result without secrets. */
    async saveMutation(given: MutateDocument): Promise<MutateDocument> {
      const record = engine.document('A result of salvo mutate', mutateDocumentSchema, given);
      const { mutation_id, run_id } = record.value;
      const change = function* () {
        yield* insert('mutations', { mutation_id, run_id, record });
      };
      await engine.write({ to: null, documents: [record], change });
      return record.value;
    },
    listMutations: (limit: number) => select('ORDER BY seq DESC LIMIT $1', [limit]),
    async getMutation(mutationId: string): Promise<MutateDocument | null> {
      const [found] = await select('WHERE mutation_id = $1', [mutationId]);
      return found ?? null;
    },
  };
}
