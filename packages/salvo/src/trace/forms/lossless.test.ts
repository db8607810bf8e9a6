import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { messageSchema } from '../message.ts';
import { FormError } from './form-error.ts';
import { readReply } from './read-reply.ts';

interface Step {
  texts: string[];
  calls: { id: string; name: string; args: Record<string, unknown>; result: string; is_error: boolean }[];
}

/** How a step is written in each form: what went in must come out. */
const WRITERS: Record<string, (step: Step) => unknown[]> = {
  'AI SDK': ({ texts, calls }) => [
    {
      role: 'assistant',
      content: [
        ...texts.map((text) => ({ type: 'text', text })),
        ...calls.map(({ id, name, args }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input: args })),
      ],
    },
    {
      role: 'tool',
      content: calls.map(({ id, name, result, is_error }) => ({
        type: 'tool-result',
        toolCallId: id,
        toolName: name,
        output: { type: is_error ? 'error-text' : 'text', value: result },
      })),
    },
  ],
  'AI SDK on a page': ({ texts, calls }) => [
    {
      role: 'assistant',
      parts: [
        ...texts.map((text) => ({ type: 'text', text })),
        ...calls.map(({ id, name, args, result, is_error }) => ({
          type: 'dynamic-tool',
          toolName: name,
          toolCallId: id,
          input: args,
          ...(is_error ? { state: 'output-error', errorText: result } : { state: 'output-available', output: result }),
        })),
      ],
    },
  ],
  OpenTelemetry: ({ texts, calls }) => [
    {
      role: 'assistant',
      parts: [
        ...texts.map((content) => ({ type: 'text', content })),
        ...calls.map(({ id, name, args }) => ({ type: 'tool_call', id, name, arguments: args })),
      ],
    },
    {
      role: 'tool',
      parts: calls.map(({ id, result, is_error }) => ({
        type: 'tool_call_response',
        id,
        response: is_error ? { error: result } : result,
      })),
    },
  ],
  Responses: ({ texts, calls }) => [
    { type: 'message', role: 'assistant', content: texts.map((text) => ({ type: 'output_text', text })) },
    ...calls.map(({ id, name, args }) => ({
      type: 'function_call',
      call_id: id,
      name,
      arguments: JSON.stringify(args),
    })),
    ...calls.map(({ id, result, is_error }) => ({
      type: 'function_call_output',
      call_id: id,
      output: result,
      status: is_error ? 'incomplete' : 'completed',
    })),
  ],
  Anthropic: ({ texts, calls }) => [
    {
      role: 'assistant',
      content: [
        ...texts.map((text) => ({ type: 'text', text })),
        ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
      ],
    },
    {
      role: 'user',
      content: calls.map(({ id, result, is_error }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: result,
        is_error,
      })),
    },
  ],
  Gemini: ({ texts, calls }) => [
    {
      role: 'model',
      parts: [
        ...texts.map((text) => ({ text })),
        ...calls.map(({ id, name, args }) => ({ functionCall: { id, name, args } })),
      ],
    },
    {
      role: 'user',
      parts: calls.map(({ id, name, result, is_error }) => ({
        functionResponse: { id, name, response: is_error ? { error: result } : { output: result } },
      })),
    },
  ],
};

const stepLike = fc.record({
  texts: fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 3 }),
  calls: fc.uniqueArray(
    fc.record({
      id: fc.string({ minLength: 1 }),
      name: fc.string({ minLength: 1, unit: 'binary' }),
      args: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
      result: fc.string({ unit: 'binary' }),
      is_error: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4, selector: ({ id }) => id },
  ),
});

test.each(Object.entries(WRITERS))('every text, call and result that goes in comes out: %s', (name, write) => {
  fc.assert(
    fc.property(fc.array(stepLike, { minLength: 1, maxLength: 3 }), (steps) => {
      const read = readReply(JSON.parse(JSON.stringify(steps.flatMap(write))), 'call');
      const messages = read?.conversation.messages ?? [];
      expect(messages.filter(({ role }) => role === 'assistant')).toEqual(
        steps.map(({ texts, calls }) => ({
          role: 'assistant',
          content: texts.join(''),
          tool_calls: JSON.parse(JSON.stringify(calls)).map(({ id, name, args }: Step['calls'][number]) => ({
            id,
            name,
            arguments: args,
          })),
        })),
      );
      const results = steps.flatMap(({ calls }) => calls.map(({ id, result, is_error }) => [id, result, is_error]));
      expect(
        messages.flatMap((message) =>
          message.role === 'tool_result'
            ? [
                [
                  message.tool_call_id,
                  name === 'Gemini' && !message.is_error ? JSON.parse(message.content).output : message.content,
                  message.is_error,
                ],
              ]
            : [],
        ),
      ).toEqual(results);
      expect(read?.conversation.openCalls).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

/** Values made of the words that the readers look for, in any combination. */
const FIELDS = `type role content parts text thinking reasoning name id arguments args input output result error messages
  contents message steps choices candidates response tool_calls function_call function rawItem kwargs lc data subtype state
  toolCallId toolName toolInvocation functionCall functionResponse call_id tool_use_id status summary usage trace __proto__
  constructor finish_reason usageMetadata author actions invocationId kind part_kind tool_name toolUse toolResult toolUseId
  lastMessage generatedItems modelResponses originalInput events metadata metrics step agent stopReason parent_tool_use_id`;
const WORDS = `user assistant tool system model developer text tool-call tool-result tool_use tool_result tool_call
  tool_call_response function_call function_call_output message reasoning dynamic-tool tool-x step-start data-x file image
  human ai result success thinking output-available source custom AIMessage web_search_call mcp_call message_output_item
  request response user-prompt tool-return retry-prompt thinking tool_search_call program`;
const wordOf = (words: string) => fc.constantFrom(...words.trim().split(/\s+/));
const { value: reply } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    fc.oneof(wordOf(WORDS), wordOf(WORDS), fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(wordOf(FIELDS), tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
    fc.array(fc.tuple(wordOf(FIELDS), tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

const part = fc.record(
  {
    type: wordOf(WORDS),
    text: fc.oneof(fc.string(), reply),
    content: fc.oneof(fc.string(), reply),
    name: fc.oneof(fc.string(), reply),
    toolName: fc.string(),
    state: wordOf(WORDS),
    input: reply,
    output: reply,
    tool_use_id: fc.oneof(fc.string(), reply),
  },
  { requiredKeys: ['type'] },
);
/** Closer to messages, so that many of them are read. */
const message = fc.record(
  {
    role: fc.constantFrom('user', 'assistant', 'system', 'tool', 'model'),
    type: fc.option(wordOf(WORDS), { nil: undefined }),
    content: fc.oneof(fc.string(), fc.array(part, { maxLength: 2 }), reply),
    parts: fc.oneof(fc.array(part, { maxLength: 2 }), reply),
    tool_calls: fc.array(part, { maxLength: 2 }),
  },
  { requiredKeys: ['role'] },
);

test('any reply is read into valid messages, or refused: no other error is possible', () => {
  let read = 0;
  fc.assert(
    fc.property(fc.oneof(reply, message), fc.boolean(), (value, inList) => {
      let result: ReturnType<typeof readReply>;
      try {
        result = readReply(inList ? { messages: [value] } : value, 'call');
      } catch (error) {
        expect(error).toBeInstanceOf(FormError);
        return;
      }
      read += result ? 1 : 0;
      expect(z.array(messageSchema).safeParse(result?.conversation.messages ?? []).error).toBeUndefined();
    }),
    { numRuns: 3000 },
  );
  expect(read).toBeGreaterThan(100);
});
