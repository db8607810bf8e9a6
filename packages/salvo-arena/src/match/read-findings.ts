import { isRecord, list } from 'salvo/kit/text';
import { canonicalFinding } from './claims/canonical-entries.ts';
import type { Claim } from './claims/claim.ts';
import type { Finding } from './claims/finding.ts';
import { JudgeError } from './claims/judge-error.ts';
import { readClaim } from './claims/read-claim.ts';
import { entriesInAnswer } from './importers/entries-in-answer.ts';
import { entriesOf, requireRecords } from './importers/entries-of.ts';
import { FINDINGS_FORMATS, type FindingsFormat, type Importer, type NotJudged } from './importers/findings-format.ts';
import { IMPORTERS, importerFor } from './importers/importers.ts';
import { foreignList, jsonLooksLike } from './importers/json-looks-like.ts';
import { type Document, readDocument } from './importers/read-document.ts';

/**
 * What the Blue Team reports: the text of a JSON or JSON Lines file, or a parsed value. That is a list of findings, an
 * object that holds one as `findings`, `detected_vulnerabilities`, `issues` or `results`, or the report of a scanner.
 */
export type FindingsInput = string | object;

/** What scanners report about the same code: one input, or one for each scanner under its name. */
export type ToolFindingsInput = FindingsInput | Readonly<Record<string, FindingsInput>>;

const KEYS = ['findings', 'detected_vulnerabilities', 'issues', 'results'];
/** Only where a manifest cannot be given by mistake: it would count as found completely. */
const KEYS_OF_AN_ANSWER = [...KEYS, 'vulnerabilities'];

export interface ReadFindingsOptions {
  /** How messages call it: a file's path. */
  name?: string;
  format?: FindingsFormat | undefined;
}

/** What a report says: what was found, and what the scanner could not judge. */
export interface ReadReport {
  findings: Finding[];
  notJudged: NotJudged[];
}

/** Reads findings. Throws a `JudgeError` that says what is wrong and where. */
export function readFindings(input: FindingsInput, options: ReadFindingsOptions = {}): Finding[] {
  return readReport(input, options).findings;
}

/** Reads findings, and what the scanner says it could not judge. Throws as `readFindings` does. */
export function readReport(
  input: FindingsInput,
  { name = 'the findings', format = 'auto' }: ReadFindingsOptions = {},
): ReadReport {
  if (!FINDINGS_FORMATS.includes(format)) {
    throw new JudgeError('OPTIONS_INVALID', `The format of ${name} is none of ${list([...FINDINGS_FORMATS], 'or')}.`);
  }
  const isReport = (value: unknown) => importerFor(value) !== undefined;
  const document = readDocument(input, { name, code: 'FINDINGS_INVALID', isReport });
  try {
    return reportInDocument(document, format);
  } catch (error) {
    if (!(error instanceof JudgeError)) throw error;
    const code = error.code === 'FINDINGS_FORMAT_UNKNOWN' ? 'FINDINGS_FORMAT_UNKNOWN' : 'FINDINGS_INVALID';
    throw new JudgeError(code, `${name}: ${error.message}`, { cause: error.cause, location: { file: name } });
  }
}

/**
 * The findings in an agent's final answer: JSON in any of the forms that `readFindings` reads, alone, fenced or
 * between words. Throws a `JudgeError` when there is none.
 */
export function readFindingsFromText(text: string): Finding[] {
  const found = entriesInAnswer(text, KEYS_OF_AN_ANSWER);
  return 'report' in found
    ? reportInDocument({ value: found.report }, 'auto').findings
    : canonicalFindings(found.entries);
}

/** The same where an answer that cannot be read is a failure of the agent: then the problem. */
export function readAnswer(answer: string): { findings: Finding[] } | { problem: string } {
  try {
    return { findings: readFindingsFromText(answer) };
  } catch (error) {
    if (error instanceof JudgeError) return { problem: error.message };
    throw error;
  }
}

/** The findings as they were given: a list, a list in `findings`, or what `readFindings` reads. */
export function findingRecords(findings: FindingsInput): readonly Record<string, unknown>[] {
  const entries = isRecord(findings) ? findings.findings : findings;
  if (!Array.isArray(entries) || isCheckovList(entries)) return readFindings(findings);
  return requireRecords(entries, 'FINDINGS_INVALID', 'findings');
}

/** What scanners claim: from one list or report, or from one for each scanner. */
export function readToolClaims(toolFindings: ToolFindingsInput): Claim[] {
  const reports: FindingsInput[] = isByTool(toolFindings) ? Object.values(toolFindings) : [toolFindings];
  return reports.flatMap((report) => findingRecords(report).map(readClaim));
}

/** Names of fields that a report or a container of findings has, so that none of them is the name of a scanner. */
const CONTAINERS = ['findings', 'detected_vulnerabilities', 'vulnerabilities', 'results', 'Results', 'runs', 'queries'];

function isByTool(value: ToolFindingsInput): value is Readonly<Record<string, FindingsInput>> {
  return (
    isRecord(value) &&
    !CONTAINERS.some((name) => Object.hasOwn(value, name)) &&
    Object.values(value).every((report) => Array.isArray(report) || isRecord(report))
  );
}

/** Checkov writes a list of reports, one for each kind of code. */
function isCheckovList([first]: readonly unknown[]): boolean {
  return isRecord(first) && Object.hasOwn(first, 'check_type') && Object.hasOwn(first, 'results');
}

function reportInDocument(document: Document, format: FindingsFormat): ReadReport {
  const values = 'values' in document ? document.values : [document.value];
  if (format !== 'auto' && format !== 'salvo') return importedWith(format, values);
  if (format === 'auto' && values.length > 0) {
    const importers = values.map(importerFor);
    if (importers.every((importer) => importer !== undefined)) {
      return importedReport(importers.map((importer, index) => ({ importer, report: values[index] })));
    }
  }
  const entries = entriesOf(document, format === 'salvo' ? KEYS_OF_AN_ANSWER : KEYS);
  if (!entries) throw noFindings('value' in document ? document.value : document.values);
  const foreign = format === 'auto' ? foreignList(entries) : null;
  if (foreign) throw new JudgeError('FINDINGS_FORMAT_UNKNOWN', `it looks like ${foreign.what}. ${foreign.advice}`);
  const findings = canonicalFindings(entries);
  if (findings.length === 0 || findings.some(saysSomething)) return { findings, notJudged: [] };
  throw noFindings(entries);
}

/** A finding without any of these can match nothing, whatever else it has. */
const TELLING = ['type', 'title', 'description', 'evidence', 'resource', 'file', 'attribute', 'rule_id'];

function saysSomething(finding: Finding): boolean {
  return TELLING.some((field) => Object.hasOwn(finding, field));
}

function importedWith(format: FindingsFormat, values: readonly unknown[]): ReadReport {
  const importer = IMPORTERS.find((candidate) => candidate.format === format);
  const other = values.find((value) => !importer?.recognises(value));
  if (!importer || other !== undefined) {
    const message = `it is not ${importer?.name ?? format} but looks like ${jsonLooksLike(other)}. Leave the format out to have it detected.`;
    throw new JudgeError('FINDINGS_FORMAT_UNKNOWN', message);
  }
  return importedReport(values.map((report) => ({ importer, report })));
}

/** A scanner that was given the wrong path finds nothing, too: that is no result. */
function importedReport(reports: readonly { importer: Importer; report: unknown }[]): ReadReport {
  const findings = reports.flatMap(({ importer, report }) => importer.findings(report));
  const notJudged = reports.flatMap(({ importer, report }) => importer.notJudged?.(report) ?? []);
  const [first] = reports;
  if (findings.length > 0 || !first) return { findings, notJudged };
  if (!reports.every(({ importer, report }) => importer.hasSeenNothing?.(report))) return { findings, notJudged };
  const message = `the scanner looked at nothing: ${first.importer.name} counts no code that it checked. Check the path and the kinds of code that it was given.`;
  throw new JudgeError('FINDINGS_INVALID', message);
}

function canonicalFindings(entries: readonly unknown[]): Finding[] {
  return requireRecords(entries, 'FINDINGS_INVALID', 'findings').map(canonicalFinding);
}

function noFindings(value: unknown): JudgeError {
  const likeness = jsonLooksLike(value);
  const advice =
    likeness === 'a manifest'
      ? 'If it does list what the Blue Team found, call that list "findings".'
      : 'Findings are {"findings": [{"type": "encryption", "resource": "aws_s3_bucket.data"}]}, or a scanner\'s JSON or SARIF report.';
  return new JudgeError('FINDINGS_FORMAT_UNKNOWN', `it holds no findings but looks like ${likeness}. ${advice}`);
}
