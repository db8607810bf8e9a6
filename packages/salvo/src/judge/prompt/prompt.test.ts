import { describe, expect, it } from 'vitest';
import { buildScoringTool } from '../../models/scoring/scoring-tool.ts';
import { compileJsonSchema } from '../../scenario/compile/json-schema.ts';
import { buildCriteriaBlock, buildJudgePrompt } from './prompt.ts';

const criteria = [
  { name: 'accuracy', description: 'Says only what is true.', weight: 2 },
  { name: 'tone', description: 'Is friendly.', weight: 0.5 },
  { name: 'cites sources', description: 'Names where it knows it from.', weight: 1 },
];

describe('buildCriteriaBlock', () => {
  it('test_build_criteria_block_formats_all_criteria: a line each, with name, weight and description', () => {
    expect(buildCriteriaBlock(criteria)).toBe(
      [
        '- **accuracy** (weight: 2): Says only what is true.',
        '- **tone** (weight: 0.5): Is friendly.',
        '- **cites sources** (weight: 1): Names where it knows it from.',
      ].join('\n'),
    );
  });

  it('folds the lines of a description into one', () => {
    const description = 'First.\n  Second.\r\n\r\nThird.\u2028Fourth.\n';
    expect(buildCriteriaBlock([{ name: 'a', description, weight: 1 }])).toBe(
      '- **a** (weight: 1): First. Second. Third. Fourth.',
    );
  });

  it('shows scale, binary and reference below the criterion', () => {
    const own = {
      name: 'a',
      description: 'Right.',
      weight: 1,
      scale: { '1': 'all of it', '0.5': 'some\nof it', '0': 'nothing' },
      binary: true,
      reference: 'One.\nTwo.\n',
    };
    expect(buildCriteriaBlock([own, { name: 'b', description: 'Left.', weight: 1 }])).toBe(
      [
        '- **a** (weight: 1): Right.',
        '  Scale of this criterion:',
        '    0: nothing',
        '    0.5: some of it',
        '    1: all of it',
        '  Score only 0 or 1, nothing between.',
        '  Reference to compare with:',
        '    One.',
        '    Two.',
        '- **b** (weight: 1): Left.',
      ].join('\n'),
    );
  });
});

describe('buildJudgePrompt', () => {
  it('test_build_judge_prompt_contains_scale: from 0.0 to 1.0, with five anchors', () => {
    const prompt = buildJudgePrompt(criteria);
    expect(prompt).toContain('0.0-1.0');
    for (const anchor of ['0.0:', '0.25:', '0.5:', '0.75:', '1.0:']) expect(prompt).toContain(anchor);
  });

  it('test_build_judge_prompt_contains_criteria: all of them, and no placeholder left', () => {
    const prompt = buildJudgePrompt(criteria);
    expect(prompt).toContain(buildCriteriaBlock(criteria));
    expect(prompt).not.toContain('{criteria_block}');
  });

  it('inserts a description unchanged, whatever it holds', () => {
    const description = '$& $1 {criteria_block} {context_block}';
    expect(buildJudgePrompt([{ name: 'a', description, weight: 1 }])).toContain(`(weight: 1): ${description}`);
  });
});

describe('buildScoringTool', () => {
  it('has a schema that accepts a whole vote and nothing less', () => {
    const problems = compileJsonSchema(buildScoringTool(criteria).parameters);
    const accepts = (vote: unknown) => problems(vote).length === 0;
    const one = { reasoning: 'Because.', score: 0.5 };
    expect(accepts({ accuracy: one, tone: one, cites_sources: one })).toBe(true);
    expect(accepts({ accuracy: one, tone: one })).toBe(false);
    expect(accepts({ accuracy: one, tone: one, cites_sources: { score: 0.5 } })).toBe(false);
    expect(accepts({ accuracy: one, tone: one, cites_sources: { ...one, score: 2 } })).toBe(false);
  });
});
