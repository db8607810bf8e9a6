import { type Block, type Look, type ReportDocument, type Tone, table, toTerminal } from 'salvo/kit/report';
import { formatPlural } from 'salvo/kit/stats';
import { type BlueOutcome, notCoveredText } from '../../blue/blue-team.ts';
import type { Finding } from '../../match/claims/finding.ts';
import { SEVERITIES, type Severity, severityRank } from '../../match/claims/severity.ts';
import { severityOrMedium, worstSeverity } from '../sarif-parts.ts';
import { findingPlace, resourceNames } from '../score/describe-claim.ts';
import { ruleOf } from './finding-fingerprints.ts';
import type { ScanSheet } from './scan-sheet.ts';

const ROOM = { narrowest: 40, widest: 160 };

/** The findings of a scan for a terminal: a table, and what could not be looked at. */
export function renderScan(sheet: ScanSheet, look: Look, options: ScanReportOptions = {}): string {
  return toTerminal(scanReport(sheet, options), look, ROOM);
}

export interface ScanReportOptions {
  /** A line for each finding, instead of one for each weakness. */
  all?: boolean | undefined;
}

/** What a Blue found, without a verdict. */
export function renderFindings({ findings, metadata }: BlueOutcome, look: Look): string {
  const { not_covered = [], blue } = metadata;
  const missed = not_covered.length === 0 ? '' : ` Not looked at: ${notCoveredText(not_covered)}.`;
  const summary = `${blue}: ${formatPlural(findings.length, 'finding')}.${missed}`;
  return toTerminal([findingTable(findings), { lines: [summary] }], look, ROOM);
}

/** What a scan found, what it could not look at, and whether that is a failure. */
export function scanReport(sheet: ScanSheet, { all = false }: ScanReportOptions = {}): ReportDocument {
  const notes: Block = { lines: scanNotes(sheet).map((text) => ({ text, tone: 'yellow' })) };
  if (sheet.findings === null) return [{ lines: [sheet.message ?? ''] }, notes];
  const tone = sheet.status === 'failed' || sheet.status === 'unreadable' ? 'red' : 'green';
  const found = all ? findingTable(sheet.findings) : weaknessTable(sheet.findings);
  return [found, notes, { lines: [{ text: scanSummary(sheet), tone }] }];
}

/** One line for each rule, the worst first, with the number of places and the first of them. */
function weaknessTable(findings: readonly Finding[]): Block {
  const groups = [...Map.groupBy(findings, ruleOf)].map(([rule, all]) => ({ rule, all, worst: worstSeverity(all) }));
  return table(
    groups.sort((a, b) => severityRank(b.worst) - severityRank(a.worst) || b.all.length - a.all.length),
    [
      { header: 'Severity', priority: 9, cell: ({ worst }) => ({ text: worst, tone: TONES[worst] }) },
      { header: 'Rule', priority: 4, min: 12, cell: ({ rule }) => ({ text: rule, tone: 'dim' }) },
      { header: 'What', priority: 7, min: 24, cell: ({ all: [first] }) => first?.title || first?.description || '' },
      { header: 'Places', priority: 8, cell: ({ all }) => String(all.length) },
      {
        header: 'First',
        priority: 6,
        min: 12,
        cell: ({ all: [first] }) => ({ text: findingPlace(first), tone: 'cyan' }),
      },
    ],
  );
}

const TONES: Record<Severity, Tone> = { critical: 'red', high: 'red', medium: 'yellow', low: 'dim', info: 'dim' };

function findingTable(findings: readonly Finding[]): Block {
  return table(
    findings.map((finding) => ({ ...finding, severity: severityOrMedium(finding) })),
    [
      { header: 'Severity', priority: 9, cell: ({ severity }) => ({ text: severity, tone: TONES[severity] }) },
      { header: 'Rule', priority: 4, min: 12, cell: ({ rule_id }) => ({ text: rule_id ?? '', tone: 'dim' }) },
      { header: 'Resource', priority: 6, min: 16, cell: resourceNames },
      { header: 'Place', priority: 8, min: 12, cell: (finding) => ({ text: findingPlace(finding), tone: 'cyan' }) },
      { header: 'What', priority: 7, min: 24, cell: ({ title, description }) => title || description || '' },
    ],
  );
}

/** What was not looked at, each as a sentence. */
export function scanNotes(sheet: ScanSheet): string[] {
  const {
    message,
    ignored,
    not_covered,
    problems,
    skipped,
    known = 0,
    gone = 0,
    standards,
    other_findings = 0,
  } = sheet;
  const isSaid = message !== null || not_covered === null || not_covered.length === 0;
  return [
    ...problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}.`),
    ...(isSaid ? [] : [`Not looked at: ${notCoveredText(not_covered)}.`]),
    ...(ignored > 0 ? [`Ignored by comments in the code: ${formatPlural(ignored, 'finding')}.`] : []),
    ...(known > 0 ? [`Known, and not listed: ${formatPlural(known, 'finding')}.`] : []),
    ...(gone > 0 ? [`Known, and not found any more: ${formatPlural(gone, 'finding')}.`] : []),
    ...(standards
      ? [`Only ${standards.join(', ')}. Not listed: ${formatPlural(other_findings, 'other finding')}.`]
      : []),
    ...skipped.map(({ file, reason }) => `Not read: ${file}, ${reason}.`),
  ];
}

/** `3 findings (1 high, 2 low) in 4 files: failed, since high is at least medium.` */
function scanSummary({ findings, severities, files, fail_on, status, blue }: ScanSheet): string {
  const counts = SEVERITIES.toReversed().flatMap((severity) =>
    severities[severity] > 0 ? [`${severities[severity]} ${severity}`] : [],
  );
  const weaknesses = new Set((findings ?? []).map(ruleOf)).size;
  const kinds = weaknesses > 1 ? ` of ${formatPlural(weaknesses, 'rule')}` : '';
  const found =
    formatPlural(findings?.length ?? 0, 'finding') + kinds + (counts.length > 0 ? ` (${counts.join(', ')})` : '');
  const verdicts: Record<ScanSheet['status'], string> = {
    passed: fail_on === 'none' ? 'nothing fails the scan' : `nothing of severity ${fail_on} or above`,
    failed: `failed on severity ${fail_on} or above`,
    unreadable: `nothing of severity ${fail_on} or above in what could be read, but some files could not be`,
    unscored: 'nothing could be looked at',
  };
  return `${blue}: ${found} in ${formatPlural(files, 'file')}, ${verdicts[status]}.`;
}
