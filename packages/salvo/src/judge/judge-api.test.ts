import { afterEach, describe, expect, it, vi } from 'vitest';
import { registerAdapter } from '../adapters/registered-adapters.ts';
import type { ModelFunctionRequest } from '../models/call/function-models.ts';
import { traceFrom } from '../trace/trace-from.ts';
import { calibrateJudge } from './calibration/calibrate-judge.ts';
import { checkJudge } from './canaries/check-judge.ts';
import { judgeTrace } from './judge-trace.ts';

const trace = traceFrom({ task: 'Say hello.', response: 'Hello.' });
const criteria = [{ name: 'polite', description: 'Is polite.' }];
const asked: { model: string; temperature: number | undefined; maxTokens: number | undefined }[] = [];

registerAdapter('judge-of-the-house', () => ({
  providerName: () => 'house',
  async sendTurn(_messages, _tools, { model, temperature, maxTokens }) {
    asked.push({ model, temperature, maxTokens });
    return {
      content: '{"polite": 0.9}',
      tool_calls: [],
      usage: null,
      cost_usd: 0.5,
      finish_reason: 'stop',
      raw_response: null,
    };
  },
}));

afterEach(() => {
  asked.length = 0;
  vi.unstubAllEnvs();
});

describe('judgeTrace', () => {
  it('has a default for everything but the trace, the criteria and the model', async () => {
    const judge = { adapter: 'judge-of-the-house', model: 'm' };
    const { score, passed, metadata } = await judgeTrace({ trace, criteria, judge });
    expect({ score, passed }).toEqual({ score: 0.9, passed: true });
    expect(metadata).toMatchObject({ judge_k: 3, threshold: 0.8, judge_cost_usd: 1.5, aggregation: 'median' });
    expect(asked).toEqual(Array(3).fill({ model: 'm', temperature: 0, maxTokens: 1024 }));
  });

  it('asks the default model with the keys of the environment', async () => {
    vi.stubEnv('OPENAI_API_KEY', '');
    const { score, metadata } = await judgeTrace({ trace, criteria, k: 1 });
    expect(score).toBeNull();
    expect(metadata).toMatchObject({ judge_adapter: 'openai', judge_model: 'gpt-4o-mini' });
    expect(metadata.votes[0]?.error).toContain('OPENAI_API_KEY');
  });

  it('takes a function for a judge, which answers with text', async () => {
    const seen: ModelFunctionRequest[] = [];
    async function strict(request: ModelFunctionRequest) {
      seen.push(request);
      return 'It is rather short. {"polite": {"reasoning": "No greeting by name.", "score": 0.5}}';
    }
    const { score, passed, metadata } = await judgeTrace({ trace, criteria, judge: strict, k: 1 });
    expect({ score, passed }).toEqual({ score: 0.5, passed: false });
    expect(metadata).toMatchObject({ judge_adapter: 'function', judge_model: 'strict', judge_cost_usd: null });
    expect(metadata.per_criterion[0]?.reasoning).toBe('No greeting by name.');
    expect(seen).toHaveLength(1);
    expect(seen[0]?.tools.map(({ name }) => name)).toEqual(['score_criteria']);
    expect(seen[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(seen[0]?.messages[1]?.content).toContain('Hello.');
  });

  it('takes a function for a judge, which answers with the scores', async () => {
    const { score } = await judgeTrace({ trace, criteria, judge: () => ({ polite: 1 }) });
    expect(score).toBe(1);
  });

  it('takes a panel of functions and models, with weights', async () => {
    const judges = [
      { judge: () => ({ polite: 0 }), weight: 3 },
      { judge: () => ({ polite: 1 }), name: 'mild' },
      { adapter: 'judge-of-the-house', model: 'm' },
    ];
    const { passed, metadata } = await judgeTrace({ trace, criteria, judges, k: 1 });
    expect(passed).toBe(false);
    expect(metadata.panel?.judges).toMatchObject([
      { judge_model: 'judge', weight: 3, score: 0 },
      { judge_model: 'mild', weight: 1, score: 1 },
      { judge_model: 'm', weight: 1, score: 0.9 },
    ]);
  });

  it('tells functions of one name apart', async () => {
    const judge = () => ({ polite: 1 });
    const { metadata } = await judgeTrace({ trace, criteria, judges: [judge, judge], k: 1 });
    expect(metadata.judge_model).toBe('judge+judge#2');
  });

  it('has the third outcome when a function throws', async () => {
    const judge = async () => {
      throw new Error('my model is down');
    };
    const { score, metadata } = await judgeTrace({ trace, criteria, judge });
    expect(score).toBeNull();
    expect(metadata.votes.map(({ error }) => error)).toEqual(Array(3).fill('my model is down'));
  });

  it.each([
    ['no criteria', { trace, criteria: [] }, 'CRITERIA_MISSING'],
    ['no votes', { trace, criteria, k: 0 }, 'OPTIONS_INVALID'],
    ['no room', { trace, criteria, maxContextCharacters: 100 }, 'OPTIONS_INVALID'],
  ])('refuses %s', async (_, options, code) => {
    await expect(judgeTrace(options)).rejects.toMatchObject({ code });
  });
});

describe('calibrateJudge', () => {
  it('needs labels, criteria and a judge', async () => {
    const items = Array.from({ length: 24 }, (_, index) => ({
      trace: traceFrom({ response: `${index % 2 === 0 ? 'GOOD' : 'bad'} ${index}` }),
      passed: index % 2 === 0,
    }));
    const judge = ({ messages }: ModelFunctionRequest) => ({ polite: messages[1]?.content?.includes('GOOD') ? 1 : 0 });
    const { report, record } = await calibrateJudge({ items, criteria, judge });
    expect(report).toMatchObject({ items: 24, scored: 24, verdict: 'usable', threshold: 0.8 });
    expect(record).toMatchObject({ judge_adapter: 'function', judge_model: 'judge', k: 3 });
  });
});

describe('checkJudge', () => {
  it('needs only a judge', async () => {
    const report = await checkJudge({ judge: () => ({ task_done: 1 }), k: 1 });
    expect(report.fell_for.length).toBeGreaterThan(0);
    expect(report).toMatchObject({ judge_model: 'judge', k: 1, threshold: 0.8, exit_code: 1, not_judged: 0 });
  });
});
