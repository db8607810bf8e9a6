import { describe, expect, it } from 'vitest';
import { toolChoiceOf } from '../../adapters/tool-choice.ts';
import { compileJsonSchema } from '../../scenario/compile/json-schema.ts';
import { buildCriteriaBlock, buildJudgePrompt, buildScoringTool, formatToolChoice, judgeExtras } from './prompt.ts';

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

  it('has what a criterion brings of its own below it: bands in order, binary, the reference line by line', () => {
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

  it('test_build_judge_prompt_contains_criteria: every one of them, and no place left to fill', () => {
    const prompt = buildJudgePrompt(criteria);
    expect(prompt).toContain(buildCriteriaBlock(criteria));
    expect(prompt).not.toContain('{criteria_block}');
  });

  it('takes a description as it is, whatever it holds', () => {
    const description = '$& $1 {criteria_block} {context_block}';
    expect(buildJudgePrompt([{ name: 'a', description, weight: 1 }])).toContain(`(weight: 1): ${description}`);
  });
});

describe('buildScoringTool', () => {
  it('test_build_scoring_tool_schema: score_criteria wants a score and a reasoning for every criterion', () => {
    const { name, parameters } = buildScoringTool(criteria);
    const score = {
      type: 'object',
      properties: {
        reasoning: { type: 'string', description: expect.any(String) },
        score: { type: 'number', minimum: 0, maximum: 1, description: expect.any(String) },
      },
      required: ['reasoning', 'score'],
      additionalProperties: false,
    };
    expect(name).toBe('score_criteria');
    expect(parameters).toEqual({
      type: 'object',
      properties: {
        accuracy: score,
        tone: score,
        cites_sources: { ...score, description: 'The criterion "cites sources"' },
      },
      required: ['accuracy', 'tone', 'cites_sources'],
      additionalProperties: false,
    });
  });

  it('has the judge reason before it scores', () => {
    const properties = JSON.stringify(buildScoringTool(criteria.slice(0, 1)).parameters);
    expect(properties.indexOf('"reasoning":{')).toBeLessThan(properties.indexOf('"score":{'));
    expect(properties.indexOf('"reasoning":{')).toBeGreaterThan(0);
  });

  it('asks for a whole number where there are only two', () => {
    const tool = buildScoringTool([{ name: 'a', description: 'Right.', weight: 1, binary: true }]);
    expect(tool.parameters).toMatchObject({
      properties: { a: { properties: { score: { type: 'integer', minimum: 0, maximum: 1 } } } },
    });
  });

  it('is a schema that takes a whole vote and nothing less', () => {
    const problems = compileJsonSchema(buildScoringTool(criteria).parameters);
    const accepts = (vote: unknown) => problems(vote).length === 0;
    const one = { reasoning: 'Because.', score: 0.5 };
    expect(accepts({ accuracy: one, tone: one, cites_sources: one })).toBe(true);
    expect(accepts({ accuracy: one, tone: one })).toBe(false);
    expect(accepts({ accuracy: one, tone: one, cites_sources: { score: 0.5 } })).toBe(false);
    expect(accepts({ accuracy: one, tone: one, cites_sources: { ...one, score: 2 } })).toBe(false);
  });
});

describe('formatToolChoice', () => {
  it('test_format_tool_choice_openai: a function by its name', () => {
    const choice = { tool_choice: { type: 'function', function: { name: 'score_criteria' } } };
    expect(formatToolChoice('openai', 'score_criteria')).toEqual(choice);
    expect(formatToolChoice('Azure-OpenAI', 'score_criteria')).toEqual(choice);
  });

  it('test_format_tool_choice_anthropic: a tool by its name', () => {
    expect(formatToolChoice('anthropic', 'score_criteria')).toEqual({
      tool_choice: { type: 'tool', name: 'score_criteria' },
    });
  });

  it('test_format_tool_choice_unknown: nothing', () => {
    expect(formatToolChoice('llama', 'score_criteria')).toEqual({});
    expect(formatToolChoice('', 'score_criteria')).toEqual({});
  });
});

describe('judgeExtras', () => {
  it.each(['openai', 'anthropic', 'llama', 'google', 'mistral', 'openai-compatible', 'amazon-bedrock'])(
    'makes the tool the only choice of %s, in words its adapter understands',
    (provider) => {
      expect(toolChoiceOf(judgeExtras(provider, 'score_criteria'))).toEqual({ type: 'tool', name: 'score_criteria' });
    },
  );

  it.each(['openai', 'anthropic'])('speaks the language of %s', (provider) => {
    expect(judgeExtras(provider, 'score_criteria')).toEqual(formatToolChoice(provider, 'score_criteria'));
  });

  it.each(['scripted', 'exec', 'http', 'module'])('asks nothing of %s, which may be a whole agent', (provider) => {
    expect(judgeExtras(provider, 'score_criteria')).toEqual({});
  });
});
