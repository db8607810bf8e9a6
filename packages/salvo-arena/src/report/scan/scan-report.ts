import { type Canvas, joinBlocks, type Look, renderFor, renderTable, wrap } from 'salvo/kit/report';
import { formatPlural } from 'salvo/kit/stats';
import { safeLine } from 'salvo/kit/text';
import { type BlueOutcome, notCoveredText } from '../../blue/blue-team.ts';
import type { Finding } from '../../match/claims/finding.ts';
import { SEVERITIES, type Severity } from '../../match/claims/severity.ts';
import { findingPlace, resourceNames } from '../score/describe-claim.ts';
import { type ScanSheet, severityOrMedium } from './scan-sheet.ts';

/** The findings of a scan for a terminal: a table, and what could not be looked at. */
export function renderScan(sheet: ScanSheet, look: Look): string {
  return renderFor(look, (canvas) => joinBlocks(scanBlocks(sheet, canvas)), { narrowest: 40, widest: 160 });
}

/** What a Blue found, without a verdict. */
export function renderFindings({ findings, metadata }: BlueOutcome, look: Look): string {
  const { not_covered = [], blue } = metadata;
  return renderFor(
    look,
    (canvas) => {
      const missed = not_covered.length === 0 ? '' : ` Not looked at: ${notCoveredText(not_covered)}.`;
      const summary = `${blue}: ${formatPlural(findings.length, 'finding')}.${missed}`;
      return joinBlocks([findingTable(findings, canvas), wrap(safeLine(summary), canvas.width)]);
    },
    { narrowest: 40, widest: 160 },
  );
}

function scanBlocks(sheet: ScanSheet, canvas: Canvas): string[][] {
  const { width, style } = canvas;
  const paragraph = (text: string) => wrap(safeLine(text), width);
  const notes = scanNotes(sheet).flatMap(paragraph).map(style.yellow);
  if (sheet.findings === null) return [paragraph(sheet.message ?? ''), notes];
  const isBad = sheet.status === 'failed' || sheet.status === 'unreadable';
  const summary = paragraph(scanSummary(sheet)).map(isBad ? style.red : style.green);
  return [findingTable(sheet.findings, canvas), notes, summary];
}

function findingTable(findings: readonly Finding[], { width, style }: Canvas): string[] {
  const paints: Record<Severity, (text: string) => string> = {
    critical: style.red,
    high: style.red,
    medium: style.yellow,
    low: style.dim,
    info: style.dim,
  };
  return renderTable({
    columns: [
      { key: 'severity', header: 'Severity', priority: 9 },
      { key: 'rule', header: 'Rule', priority: 4, min: 12 },
      { key: 'resource', header: 'Resource', priority: 6, min: 16 },
      { key: 'place', header: 'Place', priority: 8, min: 12 },
      { key: 'title', header: 'What', priority: 7, min: 24 },
    ],
    rows: findings.map((finding) => {
      const severity = severityOrMedium(finding);
      return {
        severity: { text: severity, paint: paints[severity] },
        rule: { text: safeLine(finding.rule_id ?? '', 60), paint: style.dim },
        resource: { text: safeLine(resourceNames(finding), 200) },
        place: { text: safeLine(findingPlace(finding), 200), paint: style.cyan },
        title: { text: safeLine(finding.title || finding.description || '', 300) },
      };
    }),
    width,
    style,
  }).lines;
}

/** What was not looked at, each as a sentence. */
export function scanNotes({ message, ignored, not_covered, problems, skipped }: ScanSheet): string[] {
  const isSaid = message !== null || not_covered === null || not_covered.length === 0;
  return [
    ...problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}.`),
    ...(isSaid ? [] : [`Not looked at: ${notCoveredText(not_covered)}.`]),
    ...(ignored > 0 ? [`Ignored by comments in the code: ${formatPlural(ignored, 'finding')}.`] : []),
    ...skipped.map(({ file, reason }) => `Not read: ${file}, ${reason}.`),
  ];
}

/** `3 findings (1 high, 2 low) in 4 files: failed, since high is at least medium.` */
export function scanSummary({ findings, severities, files, fail_on, status, blue }: ScanSheet): string {
  const counts = SEVERITIES.toReversed().flatMap((severity) =>
    severities[severity] > 0 ? [`${severities[severity]} ${severity}`] : [],
  );
  const found = formatPlural(findings?.length ?? 0, 'finding') + (counts.length > 0 ? ` (${counts.join(', ')})` : '');
  const verdicts: Record<ScanSheet['status'], string> = {
    passed: fail_on === 'none' ? 'nothing fails the scan' : `nothing of severity ${fail_on} or above`,
    failed: `failed on severity ${fail_on} or above`,
    unreadable: 'some code could not be read',
    unscored: 'nothing could be looked at',
  };
  return `${safeLine(blue, 200)}: ${found} in ${formatPlural(files, 'file')}, ${verdicts[status]}.`;
}
