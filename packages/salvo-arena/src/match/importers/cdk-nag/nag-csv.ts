import { readCsvTable } from 'salvo/kit/text-files';
import { JudgeError } from '../../claims/judge-error.ts';

/** The columns of the CSV report, and the fields of the JSON report for the same. */
const FIELDS = {
  'Rule ID': 'ruleId',
  'Resource ID': 'resourceId',
  Compliance: 'compliance',
  'Exception Reason': 'exceptionReason',
  'Rule Level': 'ruleLevel',
  'Rule Info': 'ruleInfo',
} as const;
const HEADER = Object.keys(FIELDS);
const START = /^\s*"?Rule ID"?,"?Resource ID"?,"?Compliance"?,/;

/** Whether a text is the CSV report of cdk-nag. */
export function isNagCsv(text: string): boolean {
  return START.test(text);
}

/** The CSV report in the form of the JSON report. Several reports may follow each other. */
export function readNagCsv(text: string, name: string, placeOf: (offset: number) => { line: number; column: number }) {
  const table = readCsvTable(text);
  if ('problem' in table) {
    const { offset, message, hint } = table.problem;
    const place = placeOf(offset);
    throw new JudgeError(
      'FINDINGS_INVALID',
      `${name}:${place.line}:${place.column}: ${message}. ${hint === undefined ? 'The file is not complete or was changed: write it again.' : `Perhaps ${hint}.`}`,
      { location: { file: name, ...place } },
    );
  }
  const fields = table.columns.map((column) => fieldOf(column.name));
  const lines = table.rows
    .filter(({ cells }) => !cells.every(({ text: cell }, at) => cell === HEADER[at]))
    .map(({ cells }) => Object.fromEntries(cells.map((cell, at) => [fields[at] ?? '', cell.text])));
  return { lines };
}

function fieldOf(column: string): string {
  return Object.entries(FIELDS).find(([header]) => header === column)?.[1] ?? column;
}
