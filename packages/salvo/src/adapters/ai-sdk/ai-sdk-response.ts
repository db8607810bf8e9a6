import { z } from 'zod';
import { finishReason } from '../../trace/forms/finish-reason.ts';
import { usageSchema } from '../../trace/forms/usage.ts';
import { parseToolArguments } from '../../trace/tool-arguments.ts';
import type { AdapterTurnResult } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import { answeringModel } from '../call/answering-model.ts';

const part = z.looseObject({ type: z.string() });

const resultSchema = z.object({
  text: z.string(),
  toolCalls: z.array(
    z.object({
      toolCallId: z.string(),
      toolName: z.string(),
      input: z.unknown(),
      /** The provider ran the tool itself, such as a web search: no result has to be sent. */
      providerExecuted: z.boolean().nullish(),
    }),
  ),
  finishReason: z.string(),
  usage: usageSchema,
  response: z
    .object({
      modelId: z.unknown(),
      messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(part)]) })).nullish(),
    })
    .nullish(),
});

type Result = z.infer<typeof resultSchema>;

/** The result of `generateText` as a turn. `asked` is the model that was to answer. */
export function aiSdkTurn(result: unknown, asked: string): AdapterTurnResult {
  const parsed = resultSchema.safeParse(result);
  if (!parsed.success) {
    const message = 'The installed version of the package ai answers in an unknown format. Use version 5, 6 or 7.';
    throw new AdapterError('bad_response', message, { cause: parsed.error });
  }
  const { text, toolCalls, usage, response } = parsed.data;
  const state = providerState(parsed.data);
  const model = answeringModel(asked, response?.modelId);
  return {
    content: text === '' ? null : text,
    tool_calls: toolCalls
      .filter(({ providerExecuted }) => !providerExecuted)
      .map(({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, ...parseToolArguments(input) })),
    usage,
    finish_reason: finishReason(parsed.data.finishReason),
    raw_response: response?.messages ?? null,
    ...(model && { model }),
    ...(state === undefined ? {} : { provider_state: { ai_sdk: state } }),
  };
}

const violationSchema = z.object({
  name: z.literal('AI_ToolChoiceViolationError'),
  content: z.array(part),
  finishReason: z.string(),
});

/**
 * Since version 7 the SDK throws when a model does not call the required tool. That is an answer to be judged like any
 * other; only its tokens are unknown. Undefined for any other error.
 */
export function turnDespiteToolChoice(error: unknown, asked: string): AdapterTurnResult | undefined {
  const violation = violationSchema.safeParse(error);
  if (!violation.success) return undefined;
  const { content } = violation.data;
  const texts = content.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
  const toolCalls = content.filter(({ type }) => type === 'tool-call');
  return aiSdkTurn({ ...violation.data, text: texts.join(''), toolCalls }, asked);
}

/** Signed reasoning and the like, which the provider expects back. Plain text and calls can be rebuilt without it. */
function providerState({ response }: Result): z.infer<typeof part>[] | undefined {
  const parts = (response?.messages ?? []).flatMap(({ role, content }) =>
    role === 'assistant' && typeof content !== 'string' ? content : [],
  );
  const isSpecial = ({ type, providerOptions }: z.infer<typeof part>) =>
    (type !== 'text' && type !== 'tool-call') || providerOptions !== undefined;
  return parts.some(isSpecial) ? parts : undefined;
}
