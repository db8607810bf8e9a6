import { safeLine } from '../../text/output/safe-text.ts';
import type { Style } from '../terminal/style.ts';
import { type Column, renderTable } from '../terminal/table.ts';
import { fewLines, wrap } from '../terminal/wrap.ts';
import { judgeHeadline, LONGEST_NOTE, voteRange, voteStrip } from './judge-words.ts';
import { type CriteriaScores, type CriterionVotes, criterionScore } from './result-words.ts';

const COLUMNS: readonly Column<'name' | 'score' | 'votes' | 'range'>[] = [
  { key: 'name', header: '', priority: 4, min: 8 },
  { key: 'score', header: '', align: 'right', priority: 3 },
  { key: 'votes', header: '', priority: 2 },
  { key: 'range', header: '', priority: 1 },
];

/**
 * What a judge said of a trace, for the terminal: each criterion with its score and its votes, and the reasoning of the
 * vote nearest the score. With `most`, only so many criteria, lowest first, and no reasons for full scores.
 */
export function judgeLines(
  scores: CriteriaScores,
  { width, style, most }: { width: number; style: Style; most?: number | undefined },
): string[] {
  const { criteria } = scores;
  const shown = most === undefined ? criteria : lowest(criteria, most);
  const { rows } = renderTable({
    columns: COLUMNS,
    rows: shown.map((criterion) => {
      const range = voteRange(criterion);
      return {
        name: { text: safeLine(criterion.name, 200) },
        score: { text: criterionScore(criterion), paint: paintOf(criterion, style) },
        votes: { text: voteStrip(criterion), paint: style.cyan },
        range: { text: range === '' || criterion.all_scores.length === 0 ? range : `range ${range}`, paint: style.dim },
      };
    }),
    width,
    style,
  });
  const lines = shown.flatMap((criterion, index) => [
    ...(rows[index] ?? []),
    ...(most !== undefined && criterion.score >= 1 ? [] : reasonLines(criterion, width, style)),
  ]);
  const rest = criteria.length - shown.length;
  return [
    ...wrap(judgeHeadline(scores), width).map(style.dim),
    ...(scores.notes ?? []).flatMap((note) => wrap(safeLine(note, LONGEST_NOTE), width)),
    ...lines,
    ...(rest > 0 ? [style.dim(`and ${rest} more with higher scores`)] : []),
  ];
}

/** In the order of the rubric. */
function lowest(criteria: readonly CriterionVotes[], most: number): readonly CriterionVotes[] {
  const kept = new Set(criteria.toSorted((a, b) => a.score - b.score).slice(0, most));
  return criteria.filter((criterion) => kept.has(criterion));
}

function reasonLines({ reasoning }: CriterionVotes, width: number, style: Style): string[] {
  if (reasoning === null || reasoning.trim() === '') return [];
  return fewLines(reasoning, width - 2, 600).map((line) => `  ${style.dim(line)}`);
}

function paintOf({ score }: CriterionVotes, style: Style): (text: string) => string {
  if (score >= 0.75) return style.green;
  return score >= 0.5 ? style.yellow : style.red;
}
