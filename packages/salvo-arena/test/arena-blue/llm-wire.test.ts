import { describe, expect, it } from 'vitest';
import { anthropicError, anthropicMessage } from '../../../../test/loopback/anthropic-wire.ts';
import { type Exchange, type Reply, startLoopback } from '../../../../test/loopback/loopback-server.ts';
import { completion, openAiError } from '../../../../test/loopback/openai-wire.ts';
import { wireModels } from '../../../../test/loopback/wire-models.ts';
import type { AdapterOptions } from '../../../salvo/src/adapters/adapter-options-schema.ts';
import type { LlmBlueOptions } from '../../src/blue/llm/llm-blue.ts';
import { createBlue } from '../../src/teams/create-team.ts';

const FILES = { 'main.tf': 'resource "aws_s3_bucket" "data" {\n  acl = "public-read"\n}\n' };
const FINDING = {
  type: 'access_control',
  resource: 'aws_s3_bucket.data',
  severity: 'high',
  title: 'Public bucket',
  description: 'Everybody can read it.',
  evidence: 'acl = "public-read"',
  file: 'main.tf',
  line: 2,
  confidence: 0.9,
};

type Wire = 'openai' | 'anthropic';

/** An answer that calls a tool, as each of the two providers sends it. */
function calling(wire: Wire, name: string, args: unknown): Reply {
  return wire === 'openai'
    ? completion({ toolCalls: [{ id: 'call_1', name, arguments: JSON.stringify(args) }] })
    : anthropicMessage({ content: [{ type: 'tool_use', id: 'toolu_1', name, input: args }], stopReason: 'tool_use' });
}
function saying(wire: Wire, text: string, isCut = false): Reply {
  return wire === 'openai'
    ? completion({ content: text, finishReason: isCut ? 'length' : 'stop' })
    : anthropicMessage({ content: [{ type: 'text', text }], stopReason: isCut ? 'max_tokens' : 'end_turn' });
}

async function play(wire: Wire, exchanges: Exchange[], options: Partial<LlmBlueOptions> = {}) {
  await using server = await startLoopback(exchanges);
  const adapter: AdapterOptions =
    wire === 'openai' ? { type: 'openai', base_url: `${server.url}/v1` } : { type: 'anthropic', base_url: server.url };
  const models = wireModels({ blue: adapter }, { maxRetries: 1 });
  try {
    const team = createBlue('llm:blue/m', { models, adapters: ['blue'], ...options });
    return await team.analyze({ files: FILES, signal: new AbortController().signal });
  } finally {
    await models.close();
  }
}

const body = (request: { body: unknown }): string => JSON.stringify(request.body);

describe.each<Wire>(['openai', 'anthropic'])('a Blue Team that is a model of %s', (wire) => {
  it('is made to call the tool, and the arguments of the call are its findings', async () => {
    const expectForced = (request: { body: unknown }) => {
      const choice =
        wire === 'openai'
          ? { type: 'function', function: { name: 'report_findings' } }
          : { type: 'tool', name: 'report_findings' };
      expect(request.body).toMatchObject({ model: 'm', tool_choice: choice });
      expect(body(request)).toContain('2 |   acl');
    };
    const { findings, metadata } = await play(wire, [
      { expect: expectForced, reply: calling(wire, 'report_findings', { findings: [FINDING] }) },
    ]);
    expect(findings).toEqual([{ ...FINDING, source: 'llm:m' }]);
    expect(metadata).toMatchObject({
      blue: 'llm:m',
      model_calls: 1,
      input_tokens: 10,
      output_tokens: 5,
      cost_usd: 0.01,
    });
  });

  it('may repair what it got wrong, and may answer in JSON', async () => {
    const fixed = `\`\`\`json\n${JSON.stringify({ findings: [FINDING] })}\n\`\`\``;
    const { findings, metadata } = await play(wire, [
      { reply: calling(wire, 'report_findings', { findings: 'everything is broken' }) },
      { expect: (request) => expect(body(request)).toContain('could not be read'), reply: saying(wire, fixed) },
    ]);
    expect(findings).toHaveLength(1);
    expect(metadata).toMatchObject({ model_calls: 2, input_tokens: 20 });
  });

  it('fails when its answers are cut off', async () => {
    const half = JSON.stringify({ findings: [FINDING, FINDING] }).slice(0, -40);
    const played = play(wire, [{ reply: saying(wire, half, true) }, { reply: saying(wire, half, true) }]);
    await expect(played).rejects.toThrow(/breaks off\. It was cut off: raise maxTokens/);
  });

  it('fails when the provider fails on every try', async () => {
    const reply =
      wire === 'openai'
        ? openAiError(500, { message: 'down' })
        : anthropicError(500, { type: 'api_error', message: 'down' });
    await expect(play(wire, [{ reply }, { reply }])).rejects.toMatchObject({
      name: 'BlueTeamError',
      code: 'MODEL_FAILED',
    });
  });

  it('has a finding dropped when its quote is not in the code', async () => {
    const lie = { ...FINDING, resource: 'aws_db_instance.db', title: 'Database without encryption' };
    const { findings, metadata } = await play(
      wire,
      [
        { reply: calling(wire, 'report_findings', { findings: [FINDING, lie] }) },
        {
          expect: (request) => expect(body(request)).toContain('2. [high] Database without encryption'),
          reply: calling(wire, 'quote_lines', {
            quotes: [
              { number: 1, withdrawn: false, file: 'main.tf', line: 2, quote: 'acl = "public-read"' },
              { number: 2, withdrawn: false, file: 'main.tf', line: 9, quote: 'storage_encrypted = false' },
            ],
          }),
        },
      ],
      { technique: 'precise' },
    );
    expect(findings.map(({ title }) => title)).toEqual(['Public bucket']);
    expect(metadata.dropped).toEqual([{ reason: 'its quote is not in the file', count: 1 }]);
  });
});

describe('a Blue Team that is a model', () => {
  it('fails when its arguments are not JSON twice', async () => {
    const broken = completion({ toolCalls: [{ id: '1', name: 'report_findings', arguments: '{"findings": [{' }] });
    await expect(play('openai', [{ reply: broken }, { reply: broken }])).rejects.toThrow(/not a JSON object/);
  });

  it('is stopped when the signal is aborted', async () => {
    const controller = new AbortController();
    await using server = await startLoopback([{ expect: () => controller.abort(new Error('enough')), reply: 'hang' }]);
    const models = wireModels({ blue: { type: 'openai', base_url: `${server.url}/v1` } }, { maxRetries: 1 });
    const team = createBlue('llm:blue/m', { models, adapters: ['blue'] });
    await expect(team.analyze({ files: FILES, signal: controller.signal })).rejects.toMatchObject({
      code: 'BLUE_ABORTED',
    });
    await models.close();
  });
});
