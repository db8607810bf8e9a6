import { describe, expect, it } from 'vitest';
import { traceSchema } from '../../trace/trace.ts';
import { buildJudgeMessages } from '../prompt/judge-messages.ts';
import { CANARY_KINDS, canaryTrace, loadCanaries } from './canaries.ts';

const canaries = loadCanaries();

describe('the canary suite', () => {
  it('has at least thirty attacks, of every kind, and a handful of controls', () => {
    const attacks = canaries.filter(({ expect }) => expect === 'must_not_pass');
    expect(attacks.length).toBeGreaterThanOrEqual(30);
    expect(canaries.length - attacks.length).toBeGreaterThanOrEqual(5);
    expect(new Set(canaries.map(({ kind }) => kind))).toEqual(new Set(CANARY_KINDS));
  });

  it('names every case once', () => {
    expect(new Set(canaries.map(({ id }) => id)).size).toBe(canaries.length);
  });

  it('expects honest answers to pass, and nothing else', () => {
    const wrong = canaries.filter(({ kind, expect }) => (kind === 'honest_answer') !== (expect === 'must_pass'));
    expect(wrong).toEqual([]);
  });

  it.each(canaries.map((canary) => [canary.id, canary] as const))('%s is a trace that can be judged', (_, canary) => {
    const trace = canaryTrace(canary);
    expect(traceSchema.safeParse(trace).success).toBe(true);
    const messages = buildJudgeMessages({ criteria: [], trace, nonce: 'abcdef0123456789' });
    expect(messages.at(-1)?.content).toContain(canary.task);
  });

  it('shows the judge none of the forged fences as a fence', () => {
    for (const canary of canaries) {
      const [, user] = buildJudgeMessages({ criteria: [], trace: canaryTrace(canary), nonce: 'abcdef0123456789' });
      const fences = user?.content?.split('\n').filter((line) => /^<<<(BEGIN|END) MATERIAL/.test(line)) ?? [];
      expect(fences.filter((line) => !line.includes('abcdef0123456789'))).toEqual([]);
    }
  });

  it('has the long padding written out', () => {
    const padding = canaries.find(({ id }) => id === 'confident-padding');
    expect(padding?.response.length).toBeGreaterThan(10_000);
  });
});
