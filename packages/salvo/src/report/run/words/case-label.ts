import { caseFields, firstText } from '../../../scenario/cases/case-fields.ts';
import { safeLine } from '../../../text/output/safe-text.ts';

const LONGEST = 24;

/** The beginning of the first text of a row that has no name: its number alone tells nobody which row it is. */
export function rowBeginning(row: Readonly<Record<string, unknown>>, index: number): string | null {
  if (caseFields(row, index).name !== String(index + 1)) return null;
  const text = firstText(row);
  return text === null ? null : safeLine(text, LONGEST);
}

/** `17 "Where is my order…"`, or the name of the case if it has one. */
export function caseLabel(name: string, beginning: string | undefined): string {
  return beginning === undefined ? safeLine(name) : `${safeLine(name)} "${beginning}"`;
}
