import { textFree } from 'salvo/kit/secrets';
import { contentHash } from 'salvo/kit/text';
import { z } from 'zod';
import { factorSchema } from '../match/candidates/matcher.ts';
import { findingSchema } from '../match/claims/finding.ts';
import { vulnerabilitySchema } from '../match/claims/vulnerability.ts';
import { scoreResultsToDict } from '../match/results/score-results-to-dict.ts';
import { unresolvedValueSchema } from '../match/results/unresolved.ts';
import type { PlayedGame } from './played-game.ts';

const index = z.int().nonnegative();

const pair = z.object({
  vulnerability_id: z.string(),
  vulnerability_index: index,
  finding_index: index,
  score: z.number(),
  factors: z.array(factorSchema),
});

/** What the Judge decided about findings and flaws, with its reasons. */
const judgedSchema = z.object({
  matches: z.array(pair.extend({ match_type: z.enum(['exact', 'partial']) })),
  duplicates: z.array(pair),
  near_misses: z.array(pair.extend({ reason: z.enum(['below_threshold', 'taken', 'in_twin']) })),
  consequences: z.array(z.object({ finding_index: index, vulnerability_index: index, why: z.string() })),
  present_before: z.array(index),
  /** Findings that Blue also reports on the clean twin; null if it did not look at it. */
  in_twin: z.array(index).nullable(),
  /** Findings about values that only evaluation finds. Games of earlier versions do not have it. */
  unresolved: z
    .array(unresolvedValueSchema.extend({ finding_index: index }))
    .nullable()
    .optional(),
});

export type Judged = z.infer<typeof judgedSchema>;

const { remediation: _, ...findingFields } = findingSchema.shape;

/** A finding without what is not shown, and without the fields that only its tool knows. `finding` is its index. */
const sheetFinding = z.object({ finding: index, ...findingFields });

/** What is needed to look at a game again: manifest, findings, and how they were matched. The code is kept apart. */
export const gameSheetSchema = z.object({
  /** Of the files: whether code that was made again is the same. */
  code_hash: textFree(z.string()),
  /** The entries of the manifest that were scored. */
  vulnerabilities: z.array(vulnerabilitySchema),
  /** Entries that the gate did not confirm, with its reasons. */
  not_scored: z.array(z.object({ id: z.string(), status: z.enum(['phantom', 'unchecked']), why: z.string() })),
  findings: z.array(sheetFinding),
  judged: judgedSchema,
});

export type GameSheet = z.infer<typeof gameSheetSchema>;
export type SheetFinding = GameSheet['findings'][number];

/** A report can have any number of findings, and each may quote a whole file. */
const MOST_FINDINGS = 1000;
const LONGEST_TEXT = 2000;

/** Null if the game was not scored. */
export function buildGameSheet(played: Omit<PlayedGame, 'game'>): GameSheet | null {
  const { red, gate, scored, blue, results } = played;
  if (!red || !blue || !results) return null;
  const { matches, duplicates, near_misses, consequences, present_before, in_twin, unresolved } =
    scoreResultsToDict(results);
  const plain = <Pair extends z.infer<typeof pair>>({ explanation: _, ...rest }: Pair & { explanation: string }) =>
    rest;
  return {
    code_hash: codeHash(red.files),
    vulnerabilities: scored,
    not_scored: (gate?.entries ?? []).flatMap(({ vulnerability: { id }, status, checks }) =>
      status === 'confirmed' ? [] : [{ id, status, why: checks.map(({ reason }) => reason).join('; ') }],
    ),
    findings: blue.findings.slice(0, MOST_FINDINGS).map((finding, position) => sheetFindingOf(finding, position)),
    judged: {
      matches: matches.map(plain),
      duplicates: duplicates.map(plain),
      near_misses: near_misses.map(plain),
      consequences: consequences.map(({ vulnerability_id: _, ...rest }) => rest),
      ...{ present_before, in_twin, unresolved },
    },
  };
}

export function codeHash(files: Record<string, string>): string {
  return contentHash(files).slice(0, 16);
}

/** With long texts shortened. */
export function sheetFindingOf(finding: z.infer<typeof findingSchema>, position: number): SheetFinding {
  const short = (text: string | null | undefined) =>
    text && text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
  const { type, resource, severity, source, confidence, attribute } = finding;
  const { file, line, end_line, rule_id, rule_ids } = finding;
  return {
    finding: position,
    ...{ type, resource, severity, source, confidence, attribute, file, line, end_line, rule_id, rule_ids },
    title: short(finding.title),
    description: short(finding.description),
    evidence: short(finding.evidence),
  };
}
