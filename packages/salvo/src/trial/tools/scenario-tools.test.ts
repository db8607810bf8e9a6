import { describe, expect, it } from 'vitest';
import { TRIAL_CONTEXT } from '../../../../../test/sample-trial-context.ts';
import { type Tool, toolSchema } from '../../scenario/schema/tool-schema.ts';
import type { ToolCall } from '../../trace/message.ts';
import { scenarioTools } from './scenario-tools.ts';

const tool = (fields: Record<string, unknown>): Tool => toolSchema.parse({ name: 'lookup', ...fields });
const call = (args: Record<string, unknown> = {}, change: Partial<ToolCall> = {}): ToolCall => ({
  id: 'call_1',
  name: 'lookup',
  arguments: args,
  ...change,
});
const signal = new AbortController().signal;

async function answers(fields: Record<string, unknown>, calls: ToolCall[]): Promise<string[]> {
  const mocks = await scenarioTools([tool(fields)]).start(TRIAL_CONTEXT);
  const contents: string[] = [];
  for (const each of calls) contents.push((await mocks.answer(each, signal)).content);
  return contents;
}

describe('mocked tools', () => {
  it('answer with text as it is and with any other value as JSON', async () => {
    expect(await answers({ mock_response: 'fine' }, [call()])).toEqual(['fine']);
    expect(await answers({ mock_response: { paid: 49.9 } }, [call()])).toEqual(['{"paid":49.9}']);
    expect(await answers({ mock_response: null }, [call()])).toEqual(['null']);
    expect(await answers({ mock_response: '' }, [call()])).toEqual(['']);
  });

  it('take the first answer whose arguments fit, by subset or by expression', async () => {
    const fields = {
      mock_responses: [
        { when: { filter: { city: 'Oslo' } }, respond: 'rain' },
        { when: "contains(city, 'berg')", respond: 'snow' },
        { respond: 'sun' },
      ],
    };
    const calls = [call({ filter: { city: 'Oslo', day: 1 } }), call({ city: 'Bamberg' }), call({ city: 'Rome' })];
    expect(await answers(fields, calls)).toEqual(['rain', 'snow', 'sun']);
  });

  it('have state: an answer can be used up', async () => {
    const fields = { mock_responses: [{ error: 'try again', times: 1 }, { respond: 'done' }] };
    expect(await answers(fields, [call(), call(), call()])).toEqual(['try again', 'done', 'done']);
  });

  it('start afresh in every trial', async () => {
    const tools = scenarioTools([tool({ mock_responses: [{ respond: 'once', times: 1 }] })]);
    for (let trial = 0; trial < 2; trial += 1) {
      expect((await (await tools.start(TRIAL_CONTEXT)).answer(call(), signal)).content).toBe('once');
    }
  });

  it('answer what they cannot as a tool error, as a real runtime does', async () => {
    const fields = {
      parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      mock_responses: [{ when: { id: 'a' }, respond: 'yes' }],
    };
    const mocks = await scenarioTools([tool(fields)]).start(TRIAL_CONTEXT);
    const kinds = [];
    for (const each of [
      call({}),
      call({ id: 7 }),
      call({ id: 'b' }),
      call({}, { raw_arguments: '{"id": ' }),
      call({}, { name: 'no_such_tool' }),
      call({}, { name: 'constructor' }),
    ]) {
      const { is_error, problem } = await mocks.answer(each, signal);
      kinds.push(is_error ? problem?.kind : 'answered');
    }
    expect(kinds).toEqual([
      'invalid_arguments',
      'invalid_arguments',
      'no_matching_mock',
      'malformed_arguments',
      'unknown_tool',
      'unknown_tool',
    ]);
  });

  it('names what is wrong with the arguments, so that the agent can correct them', async () => {
    const fields = { parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } };
    const [content] = await answers(fields, [call({ id: 7 })]);
    expect(content).toMatch(/lookup.*id.*string/);
  });

  it('distinguish a mocked error from a missing answer', async () => {
    const mocks = await scenarioTools([tool({ mock_responses: [{ error: 'out of paper' }] })]).start(TRIAL_CONTEXT);
    expect(await mocks.answer(call(), signal)).toEqual({
      content: 'out of paper',
      is_error: true,
      problem: { kind: 'mocked_error', message: 'out of paper' },
    });
  });

  it('stop waiting when the trial is stopped', async () => {
    const mocks = await scenarioTools([tool({ mock_responses: [{ respond: 'late', delay_ms: 600_000 }] })]).start(
      TRIAL_CONTEXT,
    );
    const controller = new AbortController();
    const answer = mocks.answer(call(), controller.signal);
    controller.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
  });
});
