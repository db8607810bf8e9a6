import { isRecord } from '../text/is-record.ts';
import { kindOfValue, list } from '../text/value-words.ts';
import { canonicalFinding } from './claims/claims.ts';
import type { Finding } from './claims/finding.ts';
import { JudgeError } from './claims/judge-error.ts';
import { FINDINGS_FORMATS, type FindingsFormat } from './findings-format.ts';
import { entriesInAnswer } from './importers/entries-in-answer.ts';
import { entriesOf } from './importers/entries-of.ts';
import { IMPORTERS, importerFor } from './importers/importers.ts';
import { jsonLooksLike } from './importers/json-looks-like.ts';
import { type Document, readDocument } from './importers/read-document.ts';

const KEYS = ['findings', 'detected_vulnerabilities', 'issues', 'results'];
/** Only where nobody could have given a manifest by mistake, and been told that it was found completely. */
const ALL_KEYS = [...KEYS, 'vulnerabilities'];

interface ReadOptions {
  /** How messages call it: a file's path. */
  name?: string;
  format?: FindingsFormat | undefined;
}

/**
 * What the Blue Team reports: a list of findings, an object that holds one as `findings`, `detected_vulnerabilities`,
 * `issues` or `results`, or the report of a scanner; parsed, or as the text of a JSON or JSON Lines file. Throws a
 * JudgeError.
 */
export function readFindings(input: unknown, { name = 'the findings', format = 'auto' }: ReadOptions = {}): Finding[] {
  if (!FINDINGS_FORMATS.includes(format)) {
    throw new JudgeError('bad_option', `The format of ${name} is none of ${list([...FINDINGS_FORMATS], 'or')}.`);
  }
  const isReport = (value: unknown) => importerFor(value) !== undefined;
  const document = readDocument(input, { name, code: 'bad_findings', isReport });
  try {
    return findingsOf(document, format);
  } catch (error) {
    if (!(error instanceof JudgeError)) throw error;
    const code = error.code === 'unknown_format' ? 'unknown_format' : 'bad_findings';
    throw new JudgeError(code, `${name}: ${error.message}`, { cause: error.cause, location: { file: name } });
  }
}

/**
 * The findings in an agent's final answer: JSON in any of the forms that `readFindings` knows, alone, fenced or
 * between words. Throws a JudgeError when there is none.
 */
export function readFindingsFromText(text: string): Finding[] {
  const found = entriesInAnswer(text, ALL_KEYS);
  return 'report' in found ? findingsOf({ value: found.report }, 'auto') : canonicalFindings(found.entries);
}

function findingsOf(document: Document, format: FindingsFormat): Finding[] {
  const values = 'values' in document ? document.values : [document.value];
  if (format !== 'auto' && format !== 'salvo') return importedWith(format, values);
  if (format === 'auto' && values.length > 0) {
    const importers = values.map(importerFor);
    if (importers.every((importer) => importer !== undefined)) {
      return importers.flatMap((importer, index) => importer.findings(values[index]));
    }
  }
  const entries = entriesOf(document, format === 'salvo' ? ALL_KEYS : KEYS);
  if (!entries) throw noFindings('value' in document ? document.value : document.values);
  return canonicalFindings(entries);
}

function importedWith(format: FindingsFormat, values: readonly unknown[]): Finding[] {
  const importer = IMPORTERS.find((candidate) => candidate.format === format);
  const strange = values.find((value) => !importer?.recognises(value));
  if (!importer || strange !== undefined) {
    const message = `it is not ${importer?.name ?? format} but looks like ${jsonLooksLike(strange)}. Leave the format out to have it detected.`;
    throw new JudgeError('unknown_format', message);
  }
  return values.flatMap((value) => importer.findings(value));
}

function canonicalFindings(entries: readonly unknown[]): Finding[] {
  return entries.map((entry, index) => {
    if (isRecord(entry)) return canonicalFinding(entry);
    throw new JudgeError('bad_findings', `entry ${index + 1} of the findings is ${kindOfValue(entry)}, not an object.`);
  });
}

function noFindings(value: unknown): JudgeError {
  const likeness = jsonLooksLike(value);
  const advice =
    likeness === 'a manifest'
      ? 'If it does list what the Blue Team found, call that list "findings".'
      : 'Findings are {"findings": [{"type": "encryption", "resource": "aws_s3_bucket.data"}]}, or a scanner\'s JSON or SARIF report.';
  return new JudgeError('unknown_format', `it holds no findings but looks like ${likeness}. ${advice}`);
}
