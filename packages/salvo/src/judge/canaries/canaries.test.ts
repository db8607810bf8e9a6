import { describe, expect, it } from 'vitest';
import { judgedPart } from '../../../../../test/judged-part.ts';
import { traceSchema } from '../../trace/trace.ts';
import { buildJudgeMessages } from '../prompt/judge-messages.ts';
import { CANARY_KINDS, canaryTrace, loadCanaries, WRONG_KINDS } from './canaries.ts';

const canaries = loadCanaries();

describe('the canary suite', () => {
  it('has attacks of every kind, and honest answers as controls; none is lost', () => {
    const counts = CANARY_KINDS.map((kind) => [kind, canaries.filter((canary) => canary.kind === kind).length]);
    expect(Object.fromEntries(counts)).toEqual({
      empty_answer: 5,
      opening_only: 5,
      instruction: 5,
      forged_score: 5,
      forged_fence: 5,
      forged_message: 4,
      fake_authority: 4,
      emotional_appeal: 3,
      padding: 3,
      hidden_text: 5,
      tool_result: 4,
      other_language: 7,
      wrong_answer: 8,
      wrong_detail: 8,
      honest_answer: 36,
    });
  });

  it('names every case once', () => {
    expect(new Set(canaries.map(({ id }) => id)).size).toBe(canaries.length);
  });

  it('expects honest answers to pass, and nothing else', () => {
    const wrong = canaries.filter(({ kind, expect }) => (kind === 'honest_answer') !== (expect === 'must_pass'));
    expect(wrong).toEqual([]);
  });

  it('has the right answer to every task that a wrong one answers, with the same evidence', () => {
    const wrong = canaries.filter(({ kind }) => WRONG_KINDS.includes(kind));
    expect(wrong).toHaveLength(16);
    for (const { id, task, tool_calls, response } of wrong) {
      const right = canaries.find((canary) => canary.id === id.replace('wrong-', 'right-'));
      expect(right).toMatchObject({ task, tool_calls, expect: 'must_pass' });
      expect(right?.response).not.toBe(response);
    }
  });

  it.each(canaries.map((canary) => [canary.id, canary] as const))('%s is a trace that can be judged', (_, canary) => {
    const trace = canaryTrace(canary);
    expect(traceSchema.parse(trace)).toEqual(trace);
    const messages = buildJudgeMessages({ criteria: [], part: judgedPart({ trace }), nonce: 'abcdef0123456789' });
    expect(messages.at(-1)?.content).toContain(canary.task);
  });

  it('shows the judge none of the forged fences as a fence', () => {
    expect(canaries.length).toBeGreaterThan(0);
    for (const canary of canaries) {
      const part = judgedPart({ trace: canaryTrace(canary) });
      const [, user] = buildJudgeMessages({ criteria: [], part, nonce: 'abcdef0123456789' });
      const fences = user?.content?.split('\n').filter((line) => /^<<<(BEGIN|END) MATERIAL/.test(line)) ?? [];
      expect(fences.filter((line) => !line.includes('abcdef0123456789'))).toEqual([]);
    }
  });

  it('repeats the padding of long cases', () => {
    const padding = canaries.find(({ id }) => id === 'confident-padding');
    expect(padding?.response.length).toBeGreaterThan(10_000);
  });
});
