import { markdownTable, markdownText } from 'salvo/kit/report';
import { findingPlace, resourceNames } from '../score/describe-claim.ts';
import { scanNotes, scanSummary } from './scan-report.ts';
import { type ScanSheet, severityOrMedium } from './scan-sheet.ts';

const MOST_ROWS = 200;

/** A scan as a Markdown summary for a pull request. */
export function renderScanMarkdown(sheet: ScanSheet): string {
  const findings = sheet.findings ?? [];
  const rows = findings
    .slice(0, MOST_ROWS)
    .map((finding) =>
      [
        severityOrMedium(finding),
        finding.rule_id ?? '',
        resourceNames(finding),
        findingPlace(finding),
        finding.title || finding.description || '',
      ].map((cell) => markdownText(cell, 300)),
    );
  const left = findings.length - rows.length;
  const lines = [
    `**${markdownText(sheet.findings === null ? (sheet.message ?? '') : scanSummary(sheet))}**`,
    '',
    ...markdownTable(['Severity', 'Rule', 'Resource', 'Place', 'What'], rows, 'lllll'),
    ...(left > 0 ? ['', `${left} more are left out.`] : []),
    ...scanNotes(sheet).flatMap((note) => ['', markdownText(note)]),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}
