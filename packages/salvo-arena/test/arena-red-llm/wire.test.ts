import { describe, expect, it } from 'vitest';
import { anthropicError, anthropicMessage } from '../../../../test/loopback/anthropic-wire.ts';
import { type Exchange, type Reply, startLoopback } from '../../../../test/loopback/loopback-server.ts';
import { completion, openAiError } from '../../../../test/loopback/openai-wire.ts';
import { wireModels } from '../../../../test/loopback/wire-models.ts';
import type { AdapterOptions } from '../../../salvo/src/adapters/adapter-options-schema.ts';
import { checkManifest } from '../../src/gate/check-manifest.ts';
import { createLlmRed, type LlmRedOptions } from '../../src/red/llm/llm-red.ts';
import { RedTeamError } from '../../src/red/red-team-error.ts';
import { FALSE_ENTRIES, GOOD_CHOICE, GOOD_CODE, GOOD_PLAN, RED_REQUEST } from './red-answers.ts';

/** Each in its own words, and each cut off or malformed as it does that. */
const PROVIDERS = {
  openai: {
    options: (url: string): AdapterOptions => ({ type: 'openai', base_url: `${url}/v1` }),
    handsIn: (args: object, name = 'hand_in_code'): Reply =>
      completion({ toolCalls: [{ id: 'call_1', name, arguments: JSON.stringify(args) }] }),
    cutOff: (): Reply =>
      completion({
        toolCalls: [{ id: 'call_1', name: 'hand_in_code', arguments: JSON.stringify(GOOD_CODE).slice(0, 120) }],
        finishReason: 'length',
      }),
    says: (text: string): Reply => completion({ content: text }),
    fails: (): Reply => openAiError(401, { message: 'Incorrect API key provided' }),
    choice: { tool_choice: { type: 'function', function: { name: 'hand_in_code' } } },
  },
  anthropic: {
    options: (url: string): AdapterOptions => ({ type: 'anthropic', base_url: url }),
    handsIn: (args: object, name = 'hand_in_code'): Reply =>
      anthropicMessage({ content: [{ type: 'tool_use', id: 'toolu_1', name, input: args }], stopReason: 'tool_use' }),
    cutOff: (): Reply =>
      anthropicMessage({
        content: [{ type: 'tool_use', id: 'toolu_1', name: 'hand_in_code', input: { files: GOOD_CODE.files } }],
        stopReason: 'max_tokens',
      }),
    says: (text: string): Reply => anthropicMessage({ content: [{ type: 'text', text }] }),
    fails: (): Reply => anthropicError(401, { type: 'authentication_error', message: 'invalid x-api-key' }),
    choice: { tool_choice: { type: 'tool', name: 'hand_in_code' } },
  },
} as const;

async function generate(options: AdapterOptions, changes: Partial<LlmRedOptions> = {}) {
  const models = wireModels({ red: options }, { maxRetries: 0 });
  try {
    return await createLlmRed({ models, adapter: 'red', model: 'm', ...changes }).generate(RED_REQUEST);
  } finally {
    await models.close();
  }
}

describe.each(Object.entries(PROVIDERS))('an LLM Red on %s', (_, provider) => {
  const serve = (...replies: (Reply | Exchange)[]) =>
    startLoopback(replies.map((reply) => (typeof reply === 'object' && 'reply' in reply ? reply : { reply })));

  it('writes code and manifest through a forced tool call, for a known price', async () => {
    await using server = await serve(provider.handsIn(GOOD_CODE));
    const { files, vulnerabilities, metadata } = await generate(provider.options(server.url));
    expect(Object.keys(files)).toEqual(['main.tf', 'variables.tf']);
    expect(vulnerabilities).toHaveLength(1);
    expect(metadata).toMatchObject({ model_calls: 1, input_tokens: 10, output_tokens: 5, cost_usd: 0.01 });
    expect(server.requests[0]?.body).toMatchObject(provider.choice);
  });

  it('is asked again after an answer that was cut off, and pays for both', async () => {
    await using server = await serve(provider.cutOff(), provider.handsIn(GOOD_CODE));
    const { metadata } = await generate(provider.options(server.url));
    expect(metadata).toMatchObject({ model_calls: 2, input_tokens: 20, cost_usd: 0.02 });
    expect(JSON.stringify(server.requests[1]?.body)).toContain('cut off at the limit of tokens');
  });

  it('is asked again after an answer in prose, and may answer in JSON', async () => {
    await using server = await serve(
      provider.says('Certainly! First, {a plan}.'),
      provider.says(JSON.stringify(GOOD_CODE)),
    );
    const { vulnerabilities } = await generate(provider.options(server.url));
    expect(vulnerabilities).toMatchObject([{ id: 'V1' }]);
  });

  it('fails with a reason when both answers are malformed', async () => {
    await using server = await serve(
      provider.says('{"files": [}'),
      provider.handsIn({ files: 'x', vulnerabilities: 'y' }),
    );
    await expect(generate(provider.options(server.url))).rejects.toThrow(
      /m wrote nothing that can be used.*no flaw in it/,
    );
  });

  it('fails with a reason when the provider does', async () => {
    await using server = await serve(provider.fails());
    const error = await generate(provider.options(server.url)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RedTeamError);
    expect(error).toMatchObject({ code: 'MODEL_FAILED', usage: { model_calls: 0, cost_usd: 0 } });
  });

  it('works in four steps', async () => {
    await using server = await serve(
      provider.handsIn(GOOD_PLAN, 'hand_in_plan'),
      provider.handsIn(GOOD_CHOICE, 'hand_in_flaws'),
      provider.handsIn(GOOD_CODE),
      provider.handsIn(GOOD_CODE),
    );
    const { metadata } = await generate(provider.options(server.url), { architecture: 'pipeline', source: 'mixed' });
    expect(metadata).toMatchObject({ model_calls: 4, cost_usd: 0.04 });
  });

  it('has false claims of its manifest refuted by the gate', async () => {
    const lying = { ...GOOD_CODE, vulnerabilities: [...FALSE_ENTRIES, ...GOOD_CODE.vulnerabilities] };
    await using server = await serve(provider.handsIn(lying));
    const { files, vulnerabilities } = await generate(provider.options(server.url));
    const { entries, manifest_accuracy } = await checkManifest({ files, vulnerabilities });
    expect(entries.map(({ vulnerability, status }) => [vulnerability.id, status])).toEqual([
      ['V2', 'phantom'],
      ['V3', 'phantom'],
      ['V1', 'confirmed'],
    ]);
    expect(manifest_accuracy).toBeCloseTo(1 / 3);
    const reasons = entries.flatMap(({ checks }) => checks.filter(({ outcome }) => outcome === 'failed'));
    expect(reasons.map(({ reason }) => reason)).toContain('there is no "aws_s3_bucket.reports" in the code');
  });
});
