import { describe, expect, it } from 'vitest';
import { JudgeAgent } from '../judge-agent.ts';
import { gateScore } from './score-gate.ts';

const vulnerability = { id: 'v1', type: 'encryption', resource: 'aws_s3_bucket.data' };
const finding = { type: 'encryption', resource: 'aws_s3_bucket.data' };
const judge = new JudgeAgent();

describe('gateScore', () => {
  it('passes without a policy', () => {
    expect(gateScore(judge.score([vulnerability], []), {})).toEqual({ status: 'passed', messages: [] });
  });

  it('fails with every metric that is too low', () => {
    const results = judge.score([vulnerability, { id: 'v2', type: 'iam' }], [finding, { type: 'network' }]);
    expect(gateScore(results, { minRecall: 0.6, minPrecision: 0.5, minF1: 0.9 })).toEqual({
      status: 'failed',
      messages: ['recall 0.500 is below 0.6', 'F1 0.500 is below 0.9'],
    });
  });

  it('fails a demand for precision without findings, and does not call it 0', () => {
    expect(gateScore(judge.score([vulnerability], []), { minPrecision: 0.5 })).toEqual({
      status: 'failed',
      messages: ['nothing was reported, so there is no precision, and 0.5 is needed'],
    });
  });

  it('is unscored when there is nothing to score', () => {
    expect(gateScore(judge.score([], []), { minRecall: 0 }).status).toBe('unscored');
  });

  it('is unscored while a model has left pairs undecided', () => {
    const results = judge.score([vulnerability], [finding]);
    const models = {
      asked: 2,
      undecided: 1,
      decisions: [],
      kappas: [],
      calls: 3,
      cachedVotes: 0,
      leftOut: 0,
      inputTokens: null,
      outputTokens: null,
      costUsd: null,
    };
    expect(gateScore({ ...results, models }, { minRecall: 1 })).toEqual({
      status: 'unscored',
      messages: ['1 pair was left undecided by the model'],
    });
  });
});
