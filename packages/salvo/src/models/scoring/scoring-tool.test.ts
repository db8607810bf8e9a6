import { describe, expect, it } from 'vitest';
import { buildScoringTool } from './scoring-tool.ts';

const criteria = [{ name: 'accuracy' }, { name: 'tone' }, { name: 'cites sources' }];
describe('buildScoringTool', () => {
  it('test_build_scoring_tool_schema: score_criteria requires a score and a reasoning for every criterion', () => {
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

  it('asks for the reasoning before the score', () => {
    const properties = JSON.stringify(buildScoringTool(criteria.slice(0, 1)).parameters);
    expect(properties.indexOf('"reasoning":{')).toBeLessThan(properties.indexOf('"score":{'));
    expect(properties.indexOf('"reasoning":{')).toBeGreaterThan(0);
  });

  it('asks for an integer where only 0 and 1 are allowed', () => {
    const tool = buildScoringTool([{ name: 'a', binary: true }]);
    expect(tool.parameters).toMatchObject({
      properties: { a: { properties: { score: { type: 'integer', minimum: 0, maximum: 1 } } } },
    });
  });
});
