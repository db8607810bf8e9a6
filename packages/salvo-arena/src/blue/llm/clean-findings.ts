import { cutEnd } from 'salvo/kit/text';
import { type Finding, findingSchema } from '../../match/claims/finding.ts';
import { readSeverity } from '../../match/claims/severity.ts';
import { normalisePath } from '../../match/importers/normalise-path.ts';
import type { BlueMetadata } from '../blue-team.ts';
import { type FindingGroup, mergeFindings } from '../merge-findings.ts';
import type { CodePart } from './code-parts.ts';

/** Counts the findings that were dropped, by reason. */
export interface DroppedFindings {
  add(reason: string, count?: number): void;
  list(): BlueMetadata['dropped'];
}

export function createDroppedFindings(): DroppedFindings {
  const counts = new Map<string, number>();
  return {
    add(reason, count = 1) {
      if (count > 0) counts.set(reason, (counts.get(reason) ?? 0) + count);
    },
    list: () => [...counts].map(([reason, count]) => ({ reason, count })),
  };
}

/** Merges the findings of the same flaw. Those that were merged into another count as dropped. */
export function mergeLists(lists: readonly (readonly Finding[])[], dropped: DroppedFindings): FindingGroup[] {
  const groups = mergeFindings(lists);
  dropped.add('it is the same flaw as another finding', lists.flat().length - groups.length);
  return groups;
}

const FIELDS = Object.keys(findingSchema.shape);
const LONGEST_TEXT = 5000;

/** Keeps known fields, our names for severities, and places that exist in the code. Drops findings without content. */
export function cleanFindings(
  findings: readonly Finding[],
  { part, model, dropped }: { part: CodePart; model: string; dropped: DroppedFindings },
): Finding[] {
  const lines = new Map<string, number>();
  for (const { file, firstLine, text } of part.pieces) {
    lines.set(file, Math.max(lines.get(file) ?? 0, firstLine + text.split('\n').length - 1));
  }
  return findings.flatMap((finding) => {
    const clean = cleaned(finding, lines);
    const parsed = findingSchema.safeParse({ ...clean, source: `llm:${model}` });
    if (parsed.success && (clean.type || clean.title || clean.description)) return [parsed.data];
    dropped.add('it does not say what is wrong');
    return [];
  });
}

function cleaned(finding: Finding, lines: ReadonlyMap<string, number>): Finding {
  const known: Finding = Object.fromEntries(
    Object.entries(finding)
      .filter(([field, value]) => FIELDS.includes(field) && value !== null && value !== '')
      .map(([field, value]) => [field, typeof value === 'string' ? cutEnd(value, LONGEST_TEXT) : value]),
  );
  const { severity, confidence, file, line, end_line, ...rest } = known;
  const clean: Finding = { ...rest };
  const rank = readSeverity(severity);
  if (rank !== null) clean.severity = rank;
  if (typeof confidence === 'number' && confidence >= 0 && confidence <= 100) {
    // Some models write percentages.
    clean.confidence = confidence > 1 ? confidence / 100 : confidence;
  }
  const path = typeof file === 'string' ? normalisePath(file) : null;
  const last = path === null ? undefined : lines.get(path);
  if (path === null || last === undefined) return clean;
  clean.file = path;
  if (typeof line === 'number' && line <= last) {
    clean.line = line;
    if (typeof end_line === 'number' && end_line >= line && end_line <= last) clean.end_line = end_line;
  }
  return clean;
}
