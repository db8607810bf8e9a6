import { remembered } from '../../text/memo.ts';
import type { Assertion } from '../schema/assertion-schema.ts';
import { anyAssertionSchema } from '../schema/assertion-types.ts';
import type { Scenario } from '../schema/scenario-schema.ts';
import type { DataRow } from './template.ts';

const NONE: Assertion[] = [];

/** Rows are never changed. */
const known = new WeakMap<DataRow, Assertion[]>();

/** The assertions of a row of a scenario that was checked, which come after those of the scenario. */
export function rowAssertions(row: DataRow): Assertion[] {
  if (!Array.isArray(row.assertions)) return NONE;
  const written: readonly unknown[] = row.assertions;
  return remembered(known, row, () =>
    written.flatMap((assertion) => anyAssertionSchema.safeParse(assertion).data ?? []),
  );
}

/** The assertions of a scenario and of all its rows. Those of rows may be equal. */
export function everyAssertion({ assertions, data = [] }: Pick<Scenario, 'assertions' | 'data'>): Assertion[] {
  const own = data.flatMap(rowAssertions);
  return own.length === 0 ? assertions : [...assertions, ...own];
}
