import { describe, expect, it } from 'vitest';
import {
  callsOf,
  expectToSurviveDamage,
  readValue,
  readValues,
  rolesOf,
} from '../../../../../../test/import-reader.ts';
import type { ImportedConversation } from '../../import-format.ts';
import { copilotFormat } from './copilot.ts';

const at = (second: number) => `2026-02-01T10:00:${String(second).padStart(2, '0')}.000Z`;

const readAll = (lines: readonly unknown[]): ImportedConversation[] => readValues(copilotFormat, ...lines);

const read = (lines: readonly unknown[]): ImportedConversation => readValue(copilotFormat, ...lines);

describe('copilotFormat, chats of VS Code', () => {
  const rounds = {
    requestId: 'r1',
    timestamp: Date.parse(at(1)),
    message: { text: 'Run it', parts: [] },
    modelId: 'copilot/auto',
    response: [
      { kind: 'toolInvocationSerialized', toolCallId: 'other', toolId: 'run_in_terminal', isComplete: true },
      { value: 'All passed.' },
    ],
    result: {
      timings: { totalElapsed: 4000 },
      metadata: {
        ...{ promptTokens: 50, outputTokens: 9, resolvedModel: 'gpt-5' },
        toolCallRounds: [
          {
            response: 'I run it.',
            thinking: { text: 'Hm' },
            toolCalls: [{ id: 'c1', name: 'run_in_terminal', arguments: '{"command":"npm test"}' }],
          },
        ],
        toolCallResults: {
          c1: {
            content: [
              {
                value: {
                  node: {
                    type: 1,
                    children: [
                      { type: 2, text: '3 ' },
                      { type: 2, text: 'passed' },
                    ],
                  },
                },
              },
            ],
          },
        },
      },
    },
  };
  const shown = {
    requestId: 'r2',
    message: { text: 'And now?' },
    modelId: 'copilot/gpt-4.1',
    response: [
      { kind: 'thinking', value: 'Look' },
      { value: 'I read ' },
      { kind: 'inlineReference', inlineReference: { path: '/repo/a.ts' } },
      {
        kind: 'toolInvocationSerialized',
        toolCallId: 'x1',
        toolId: 'run_in_terminal',
        isComplete: true,
        toolSpecificData: {
          commandLine: { original: 'ls' },
          terminalCommandOutput: { text: 'a.ts' },
          terminalCommandState: { exitCode: 1 },
        },
      },
      { kind: 'undoStop' },
      { value: { value: 'Done.' } },
    ],
    result: { errorDetails: { message: 'network' } },
  };
  const chat = {
    version: 3,
    sessionId: 'v-1',
    creationDate: Date.parse(at(0)),
    responderUsername: 'GitHub Copilot',
    requests: [rounds, shown],
  };

  it('reads rounds of the model, and what is shown where there are none', () => {
    const read1 = read([chat]);
    expect(rolesOf(read1)).toEqual([
      'user',
      'assistant',
      'tool_result',
      'assistant',
      'user',
      'assistant',
      'tool_result',
      'assistant',
    ]);
    expect(callsOf(read1)).toEqual([
      ['run_in_terminal', '3 passed', false],
      ['run_in_terminal', 'a.ts', true],
    ]);
    expect(read1.trace.messages[1]).toMatchObject({ content: 'I run it.', reasoning: 'Hm' });
    expect(read1.trace.messages[5]).toMatchObject({
      content: 'I read a.ts',
      reasoning: 'Look',
      tool_calls: [{ arguments: { command: 'ls' } }],
    });
    expect(read1.trace).toMatchObject({
      final_content: 'Done.',
      input_tokens: 50,
      output_tokens: 9,
      latency_seconds: 4,
      error: 'network',
      model: 'copilot/gpt-4.1',
    });
    expect(read1).toMatchObject({ id: 'v-1', losses: [], aside: { lines: { 'response/undoStop': 1 } } });
  });

  it('replays the changes of a chat', () => {
    const read1 = read([
      { kind: 0, v: { ...chat, requests: [] } },
      { kind: 2, k: ['requests'], v: [{ ...shown, response: [] }] },
      { kind: 2, k: ['requests', 0, 'response'], v: [{ value: 'Wrong' }] },
      { kind: 2, k: ['requests', 0, 'response'], v: [{ value: 'Right' }], i: 0 },
      { kind: 1, k: ['customTitle'], v: 'Title' },
      { kind: 3, k: ['requests', 0, 'result'] },
      { kind: 1, k: ['requests', 7, 'message'], v: 'nowhere' },
      { kind: 1, k: ['__proto__', 'polluted'], v: true },
    ]);
    expect(read1.trace.messages.map(({ content }) => content)).toEqual(['And now?', 'Right']);
    expect(read1.trace.error).toBeNull();
    expect(read1.fields).toMatchObject({ customTitle: 'Title' });
    expect(read1.losses.map(({ line }) => line)).toEqual([7, 8]);
    expect('polluted' in {}).toBe(false);
  });

  it('survives damage in any place', () => {
    expect(expectToSurviveDamage(copilotFormat, chat)).toBeGreaterThan(100);
    expect(
      expectToSurviveDamage(copilotFormat, [
        { kind: 0, v: chat },
        { kind: 2, k: ['requests'], v: [shown], i: 0 },
      ]),
    ).toBeGreaterThan(100);
  });

  it('reads several chats, and those without requests not at all', () => {
    expect(readAll([chat, { ...chat, sessionId: 'v-2' }]).map(({ id }) => id)).toEqual(['v-1', 'v-2']);
    expect(readAll([{ ...chat, requests: [] }])).toEqual([]);
    expect(() => readAll([{ ...chat, requests: [5] }])).toThrow('requests[0] is no request');
  });
});
