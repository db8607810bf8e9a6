import { describe, expect, test, vi } from 'vitest';
import { askedFor, type FakeJudge, fakeModels, scoring } from '../../../../../../test/fake-models.ts';
import { sampleTrace } from '../../../../../../test/sample-trace.ts';
import { registerAdapter } from '../../../adapters/registered-adapters.ts';
import { ASSERTION_SCHEMAS } from '../../../scenario/schema/assertion-schema.ts';
import { projectSchema } from '../../../scenario/schema/project-schema.ts';
import { scenarioFieldsSchema } from '../../../scenario/schema/scenario-schema.ts';
import { evaluateTrial } from '../../../trial/evaluate-trial.ts';
import { evaluateTrace } from '../../evaluate-trace.ts';
import { getEvaluator } from '../../registry.ts';
import { judgeEvaluator } from './judge.ts';

const CRITERIA = [
  { name: 'a', description: 'Is right.', weight: 1 },
  { name: 'b', description: 'Is short.', weight: 1 },
];

function assertionWith(changes: Record<string, unknown> = {}) {
  return ASSERTION_SCHEMAS.judge.parse({ type: 'judge', criteria: CRITERIA, judge_model: 'M', ...changes });
}

function scenarioWith(changes: Record<string, unknown> = {}) {
  const fields = scenarioFieldsSchema.parse({ prompt: 'Please.', system_prompt: 'Be kind.' });
  return { ...fields, name: 'sample', assertions: [assertionWith(changes)] };
}

async function evaluate(judge: FakeJudge, changes: Record<string, unknown> = {}) {
  const models = fakeModels(judge);
  const [result] = await evaluateTrace({ scenario: scenarioWith(changes), trace: sampleTrace(), context: { models } });
  if (!result) throw new Error('no result');
  return { ...result, models };
}

const good = scoring({ a: 0.9, b: 0.75 });

test('test_judge_evaluator_registered: judge is a type of assertion', async () => {
  const context = { models: fakeModels(() => good) };
  const registered = await getEvaluator('judge')(assertionWith(), sampleTrace(), context);
  expect(registered.details).toBe((await judgeEvaluator(assertionWith(), sampleTrace(), context)).details);
  expect(registered.details).toMatch(/^judge=M /);
});

test('models that are opened for one judgement are closed after it, also when it fails', async () => {
  const closed: string[] = [];
  for (const name of ['answers', 'breaks']) {
    registerAdapter(name, () => ({
      providerName: () => name,
      async sendTurn() {
        if (name === 'breaks') throw new Error('down');
        return { content: null, tool_calls: [], usage: null, finish_reason: 'stop', raw_response: null, ...good };
      },
      close: async () => void closed.push(name),
    }));
  }
  for (const judge_adapter of ['answers', 'breaks']) {
    await judgeEvaluator(assertionWith({ judge_adapter }), sampleTrace(), { scenario: scenarioWith() });
  }
  expect(closed).toEqual(['answers', 'breaks']);
  const models = fakeModels(() => good);
  const close = vi.spyOn(models, 'close');
  await judgeEvaluator(assertionWith(), sampleTrace(), { models });
  expect(close).not.toHaveBeenCalled();
});

test('test_evaluate_async_pass: a rubric is met when the majority of votes says so', async () => {
  const result = await evaluate(() => good, { weight: 2, required: true });
  expect(result).toMatchObject({
    assertion_type: 'judge',
    status: 'scored',
    passed: true,
    weight: 2,
    required: true,
    score: 0.825,
    metadata: { judge_model: 'M', judge_k: 3, judge_cost_usd: 0.03, votes: [{}, {}, {}] },
  });
  expect(result.models.calls).toHaveLength(3);
});

test('test_evaluate_async_fail: it is not met when the majority says no, but the score is kept', async () => {
  expect(await evaluate(() => scoring({ a: 0.9, b: 0.5 }))).toMatchObject({
    status: 'scored',
    passed: false,
    score: 0.7,
    details: expect.stringMatching(/ a=0\.90, b=0\.50$/),
  });
});

test('test_evaluate_async_parse_failure_fallback: scores in text will do when there is no tool call', async () => {
  const text = '```json\n{"a": {"score": 1, "reasoning": "x"}, "b": 1}\n```';
  const result = await evaluate((call) => (askedFor(call).vote === 1 ? { content: text } : good));
  expect(result).toMatchObject({ passed: true, metadata: { votes: [{ score: 1, repaired: false }, {}, {}] } });
  expect(result.models.calls).toHaveLength(3);
});

describe('test_evaluate_async_all_parse_failures: a judge whose answers cannot be read', () => {
  test('leaves the assertion unscored', async () => {
    expect(await evaluate(() => ({ content: 'garbage' }))).toMatchObject({
      status: 'unscored',
      score: 0,
      passed: false,
      details: 'judge_parse_failed: 3/3 calls failed',
      metadata: {
        error: 'The answer neither called score_criteria nor held a JSON object.',
        votes: [{ raw_text: 'garbage' }, {}, {}],
      },
    });
  });

  test('says in the trial why, also when it is dead', async () => {
    const models = fakeModels(() => {
      throw new Error('openai refused the key (401)');
    });
    const trial = await evaluateTrial({
      trace: sampleTrace(),
      traceId: null,
      context: { models, scenario: scenarioWith(), trialNumber: 1 },
    });
    expect(trial).toMatchObject({
      status: 'unscored',
      judge_cost_usd: 0,
      error_message: 'judge: judge_parse_failed: 3/3 calls failed (openai refused the key (401))',
      eval_results: [{ details: 'judge_parse_failed: 3/3 calls failed' }],
    });
  });

  test('is another matter than one that is understood too rarely', async () => {
    const result = await evaluate((call) => (askedFor(call).vote === 1 ? good : { content: 'hm' }));
    expect(result).toMatchObject({ status: 'unscored', details: 'judge_quorum_missed: 1/3 votes could be read' });
  });
});

describe('test_evaluate_async_cost_tracked: what judging cost', () => {
  test('is part of the details', async () => {
    const result = await evaluate(() => ({ ...good, price: 0.00021 }));
    expect(result.details).toBe('judge=M k=3 votes=3/3 | judge_cost=$0.000630 | a=0.90, b=0.75');
    expect(result.metadata.judge_cost_usd).toBeCloseTo(0.00063, 12);
  });

  test('is unknown when a price is', async () => {
    const result = await evaluate(() => ({ ...good, price: null }));
    expect(result.details).toBe('judge=M k=3 votes=3/3 | judge_cost=unknown | a=0.90, b=0.75');
    expect(result.metadata.judge_cost_usd).toBeNull();
  });

  test('is that of all judges of a trial, and not the agent’s', async () => {
    const scenario = { ...scenarioWith(), assertions: [assertionWith({ id: 'x' }), assertionWith({ id: 'y', k: 1 })] };
    const trial = await evaluateTrial({
      trace: sampleTrace(),
      traceId: null,
      context: { models: fakeModels(() => good), scenario, trialNumber: 1 },
    });
    expect(trial).toMatchObject({ cost_usd: 0.01, judge_cost_usd: 0.04 });
  });
});

describe('the judge', () => {
  const project = (judge: Record<string, unknown>) => ({
    root: '/',
    file: null,
    config: projectSchema.parse({ judge }),
  });

  test('is the one of salvo.yaml, with the changes of the assertion', async () => {
    const models = fakeModels(() => good);
    const assertion = assertionWith({ judge_model: undefined, temperature: 0.5 });
    const { details, passed } = await judgeEvaluator(assertion, sampleTrace(), {
      models,
      project: project({ adapter: 'anthropic', model: 'claude', k: 1, max_tokens: 77, default_threshold: 0.9 }),
    });
    expect(models.calls).toMatchObject([
      { adapter: 'anthropic', config: { model: 'claude', maxTokens: 77, temperature: 0.5 } },
    ]);
    expect(details).toMatch(/^judge=claude k=1 votes=1\/1 /);
    expect(passed).toBe(false);
  });

  test('is a panel, whose judges have the default adapter unless they say otherwise', async () => {
    const judges = [{ model: 'x' }, { adapter: 'anthropic', model: 'y', weight: 3 }];
    const result = await evaluate(() => good, { judge_model: undefined, judge_adapter: 'mine', judges, k: 1 });
    expect(result.models.calls.map(({ adapter, config }) => `${adapter}/${config.model}`)).toEqual([
      'mine/x',
      'anthropic/y',
    ]);
    expect(result.details).toMatch(/^judge=x\+y k=1 votes=2\/2 /);
  });

  test('sees what the assertion lets it see', async () => {
    const prompts = async (changes: Record<string, unknown>) =>
      JSON.stringify((await evaluate(() => good, changes)).models.calls[0]?.messages);
    expect(await prompts({})).toMatch(/Please\./);
    expect(await prompts({})).not.toContain('Be kind.');
    expect(await prompts({ include_system_prompt: true })).toContain('Be kind.');
    expect(await prompts({ context: ['response'] })).not.toMatch(/Please\./);
    expect(await prompts({ custom_prompt: 'Be very harsh.' })).toMatch(/Be very harsh\..*\*\*a\*\*/s);
  });

  test('stops early when the assertion wants it to', async () => {
    const result = await evaluate(() => good, { early_stop: true });
    expect(result.models.calls).toHaveLength(2);
    expect(result.metadata).toMatchObject({ saved_calls: 1 });
  });

  test('cannot work without criteria, and says so', async () => {
    const [result] = await evaluateTrace({
      scenario: { ...scenarioWith(), assertions: [assertionWith({ criteria: undefined, rubric: 'x.yaml' })] },
      trace: sampleTrace(),
      context: { models: fakeModels(() => good) },
    });
    expect(result).toMatchObject({ status: 'unscored', details: expect.stringContaining('no criteria') });
  });
});
