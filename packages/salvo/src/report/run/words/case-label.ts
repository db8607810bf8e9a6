import { caseFields, RESERVED_COLUMNS } from '../../../scenario/cases/case-fields.ts';
import { safeLine } from '../../../text/output/safe-text.ts';

const RESERVED: ReadonlySet<string> = new Set(RESERVED_COLUMNS);
const LONGEST = 24;

/** The beginning of the first text of a row that has no name: its number alone tells nobody which row it is. */
export function rowBeginning(row: Readonly<Record<string, unknown>>, index: number): string | null {
  if (caseFields(row, index).name !== String(index + 1)) return null;
  const text = Object.entries(row).find(
    ([column, value]) => !RESERVED.has(column) && typeof value === 'string' && value.trim() !== '',
  )?.[1];
  return typeof text === 'string' ? safeLine(text.trim(), LONGEST) : null;
}

/** `17 "Where is my order…"`, or the name of the case if it has one. */
export function caseLabel(name: string, beginning: string | undefined): string {
  return beginning === undefined ? safeLine(name) : `${safeLine(name)} "${beginning}"`;
}
