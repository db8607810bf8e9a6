import { describe, expect, it } from 'vitest';
import { HOSTILE_TEXTS } from '../../../../../test/hostile-texts.ts';
import { sampleCriterion, sampleJudgement } from '../../../../../test/sample-judgement.ts';
import { readJudgement } from '../../judge/stored-judgement.ts';
import { displayWidth } from '../../text/output/safe-text.ts';
import type { Content } from '../document/document.ts';
import { toMarkdown } from '../document/markdown.ts';
import { toTerminal } from '../document/terminal.ts';
import { judgeLines, judgementLines } from './judge-lines.ts';
import { judgePlainLines } from './judge-words.ts';
import { judgeScores } from './result-words.ts';

const { judge_model, per_criterion: criteria, dissenting_votes } = sampleJudgement();
const metrics = { judge_model, criteria, dissenting_votes };

function linesOf(lines: readonly Content[], width: number): string[] {
  return toTerminal([{ lines }], { width, color: false }).trimEnd().split('\n');
}

function markdownCell(cell: readonly Content[]): string {
  return toMarkdown([{ columns: [{ header: 'Example' }], rows: [[cell]] }]).split('\n')[2] ?? '';
}

function shown(changes: Parameters<typeof sampleJudgement>[0], width = 80): string[] {
  const judgement = readJudgement({ ...sampleJudgement(changes) });
  if (!judgement) throw new Error('the sample can be read');
  return linesOf(judgementLines(judgement), width);
}

describe('what a judge said', () => {
  it('is each criterion with its score, its votes, their range, and the reasoning nearest the score', () => {
    expect(linesOf(judgeLines(metrics), 60)).toEqual([
      'gpt-4o-mini · 5 votes, 1 dissented',
      'polite  0.75  ▄▆▆▇▆  range 0.50–0.90',
      '  It greets the customer, but never says sorry.',
      'honest  1.00  █████',
      '  Every figure is from the order.',
    ]);
  });

  it('is shorter among other failures: no reasons for full scores, and the lowest criteria only', () => {
    const many = [1, 0.9, 0.2, 0.3].map((score, index) => sampleCriterion({ name: `c${index}`, score }));
    expect(linesOf(judgeLines(metrics, { most: 5 }), 60)).toHaveLength(4);
    expect(linesOf(judgeLines({ ...metrics, criteria: many }, { most: 2 }), 60)).toEqual([
      'gpt-4o-mini · 5 votes, 1 dissented',
      'c2  0.20  █████',
      'c3  0.30  █████',
      'and 2 more with higher scores',
    ]);
  });

  it('says when no vote scored a criterion, which is not a score of 0', () => {
    const unscored = [...criteria, sampleCriterion({ name: 'brief', score: 0, all_scores: [] })];
    const lines = linesOf(judgeLines({ ...metrics, criteria: unscored }), 60);
    expect(lines.at(-1)).toMatch(/^brief +— +no vote$/);
  });

  it('ends in a trial with how the votes came about, and what they cost', () => {
    const [first, second, ...votes] = sampleJudgement().votes;
    if (!first || !second) throw new Error('the sample has votes');
    const changed = [{ ...first, scores: null }, { ...second, repaired: true }, ...votes];
    expect(shown({ votes: changed, saved_calls: 2 }).slice(-2)).toEqual([
      '1 of 5 votes could not be read · 1 asked again and then readable · 2 calls saved',
      'judge $0.0021',
    ]);
    expect(shown({ judge_cost_usd: null }).at(-1)).toBe('judge cost unknown');
  });

  it('says how often a request of the judge was sent again', () => {
    expect(shown({ retries: 3 }).at(-1)).toBe('3 retries · judge $0.0021');
  });

  it('says in every report when the verdict is not what the score implies', () => {
    const note = 'The majority of the votes failed it, although its score of 1.00 meets its threshold of 0.80.';
    expect(linesOf(judgeLines({ ...metrics, notes: [note] }), 120)[1]).toBe(note);
    expect(shown({ notes: [note] }, 120)[1]).toBe(note);
    expect(judgePlainLines({ ...metrics, notes: [note] })[1]).toBe(note);
    expect(judgeScores({ ...metrics, notes: [note] })).toBe(`${note} polite 0.75, honest 1.00`);
    expect(markdownCell(judgeLines({ ...metrics, notes: [note] }))).toContain(`<br>${note}<br>`);
  });

  it('names every judge of a panel, and how far they agree', () => {
    const judge = { judge_adapter: 'a', weight: 1, votes: 3, cost_usd: 0 };
    const judges = [
      { ...judge, judge_model: 'large', readable: 3, score: 0.9, passed: true },
      { ...judge, judge_model: 'small', readable: 0, score: null, passed: null },
    ];
    const panel = { judges, pairwise_kappa: [], krippendorff_alpha: 0.42 };
    expect(shown({ panel }, 120)).toContain(
      'panel: large 0.90 pass (3/3 votes) · small no verdict (0/3 votes) · alpha 0.42',
    );
  });

  it.each(HOSTILE_TEXTS)('acts on no terminal, table or page, and widens no line: %j', (hostile) => {
    const evil = {
      judge_model: hostile,
      criteria: [sampleCriterion({ name: hostile, score: 0, reasoning: hostile.repeat(40) })],
      dissenting_votes: 0,
    };
    for (const width of [24, 40]) {
      const lines = linesOf(judgeLines(evil), width);
      expect(lines.length).toBeGreaterThan(1);
      for (const line of lines) {
        expect(displayWidth(line)).toBeLessThanOrEqual(width);
        expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\p{Default_Ignorable_Code_Point}]/u);
      }
    }
    expect(markdownCell(judgeLines(evil)).slice(1, -1)).not.toMatch(/[|`\n\u001b]|<(?!br>)/);
    expect(judgePlainLines(evil).join('')).not.toMatch(/[\n\u0000-\u0008\u001b]/);
  });
});
