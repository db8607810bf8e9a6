import { describe, expect, it } from 'vitest';
import { fakeModels } from '../../../../test/fake-models.ts';
import { createRedTeamAgent } from './red-team-agent.ts';

describe('a Red Team agent', () => {
  it('uses mutation by default, which needs no model', () => {
    expect(createRedTeamAgent().name).toBe('mutation');
    expect(createRedTeamAgent({ red: 'mutation' }).name).toBe('mutation');
  });

  it('is a model with no more than its name, and asks with the keys of the environment', async () => {
    expect(createRedTeamAgent({ red: 'llm', model: 'gpt-5' }).name).toBe('llm:gpt-5');
    const agent = createRedTeamAgent({ red: 'llm', model: 'm', adapter: 'none', models: fakeModels(() => ({})) });
    await expect(agent.generate({ task: 'An archive' })).rejects.toMatchObject({ code: 'MODEL_ANSWER_INVALID' });
  });

  it('needs no more than a task', async () => {
    const { files, vulnerabilities, metadata } = await createRedTeamAgent().generate({
      task: 'tamper-proof-archive',
    });
    expect(Object.keys(files)).toContain('variables.tf');
    expect(vulnerabilities.length).toBeGreaterThanOrEqual(2);
    expect(metadata).toMatchObject({ difficulty: 'medium', language: 'terraform', strategy: 'balanced', seed: 0 });
  });

  it('uses defaults for undefined options', async () => {
    const request = { task: 'tamper-proof-archive', language: 'cloudformation', seed: undefined } as const;
    const { metadata } = await createRedTeamAgent().generate(request);
    expect(metadata).toMatchObject({ language: 'cloudformation', seed: 0, proven: true, cost_usd: 0 });
  });

  it.each([
    ['difficulty', 'extreme', /known are easy, medium, hard/],
    ['language', 'bicep', /known are terraform, cloudformation/],
    ['provider', 'azure', /known is aws/],
    ['strategy', 'luck', /known are balanced/],
    ['seed', 1.5, /whole number/],
    ['task', undefined, /needs a task/],
  ])('refuses the %s %s', async (name, value, message) => {
    const request = { task: 'tamper-proof-archive', [name]: value };
    await expect(createRedTeamAgent().generate(request)).rejects.toMatchObject({
      name: 'RedTeamError',
      code: 'OPTIONS_INVALID',
      message: expect.stringMatching(message),
    });
  });
});
