import { describe, expect, it } from 'vitest';
import { type JudgeAgentOptions, resolveJudgeOptions } from './judge-agent-options.ts';

describe('resolveJudgeOptions', () => {
  it('has the documented defaults', () => {
    expect(resolveJudgeOptions()).toEqual({
      matchThreshold: 0.4,
      exactThreshold: 0.7,
      keys: 'different',
      matcher: 'documented',
      assignment: 'optimal',
      llm: null,
    });
  });

  it('lets both thresholds be the same, and be the ends of the scale', () => {
    expect(resolveJudgeOptions({ matchThreshold: 0, exactThreshold: 0 }).exactThreshold).toBe(0);
    expect(resolveJudgeOptions({ matchThreshold: 1, exactThreshold: 1 }).matchThreshold).toBe(1);
  });

  it('has no partial matches when the match threshold reaches the exact threshold', () => {
    expect(resolveJudgeOptions({ matchThreshold: 0.8 }).exactThreshold).toBe(0.8);
    expect(resolveJudgeOptions({ matchThreshold: 0.8, exactThreshold: 0.5 }).exactThreshold).toBe(0.8);
  });

  it.each([
    [{ matchThreshold: Number.NaN }, 'matchThreshold is NaN. Set it to a number from 0 to 1.'],
    [{ matchThreshold: -0.1 }, 'matchThreshold is -0.1'],
    [{ exactThreshold: 70 }, 'exactThreshold is 70. Set it to a number from 0 to 1.'],
  ] satisfies [JudgeAgentOptions, string][])('refuses %j and says what to do', (options, message) => {
    expect(() => resolveJudgeOptions(options)).toThrow(expect.objectContaining({ code: 'OPTIONS_INVALID' }));
    expect(() => resolveJudgeOptions(options)).toThrow(message);
  });

  it('refuses values of the wrong type', () => {
    const untyped: JudgeAgentOptions = JSON.parse('{"matchThreshold": "0.4"}');
    expect(() => resolveJudgeOptions(untyped)).toThrow('matchThreshold is "0.4"');
    const unknown: JudgeAgentOptions = JSON.parse('{"matcher": "fuzzy"}');
    expect(() => resolveJudgeOptions(unknown)).toThrow('one of: documented, evidence');
    const greedy: JudgeAgentOptions = JSON.parse('{"assignment": "best"}');
    expect(() => resolveJudgeOptions(greedy)).toThrow('one of: optimal, greedy');
  });

  it('derives the band of the models from its thresholds', () => {
    const { llm } = resolveJudgeOptions({
      matchThreshold: 0.5,
      exactThreshold: 0.9,
      llm: { adapter: 'openai', model: 'm' },
    });
    expect(llm?.band).toEqual([0.35, 0.9]);
  });
});
