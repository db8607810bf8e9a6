import { z } from 'zod';
import { finishReason } from '../../trace/forms/finish-reason.ts';
import { usageSchema } from '../../trace/forms/usage.ts';
import { parseToolArguments } from '../../trace/tool-arguments.ts';
import type { AdapterTurnResult } from '../adapter.ts';
import { unreadableBody } from '../sdk/response-body.ts';

const blockSchema = z.looseObject({ type: z.string() });
const textBlockSchema = z.object({ type: z.literal('text'), text: z.string() });
const toolUseBlockSchema = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.unknown().optional(),
});
const messageSchema = z.object({
  content: z.array(blockSchema),
  stop_reason: z.string().nullish(),
  stop_details: z.object({ explanation: z.string().nullish() }).nullish().catch(null),
  usage: usageSchema.catch(null),
});

type WireMessage = z.infer<typeof messageSchema>;

/** The turn of a message of the Messages API. */
export function anthropicTurn(body: unknown): AdapterTurnResult {
  const message = messageSchema.safeParse(body);
  if (!message.success) {
    throw unreadableBody({ body, expected: 'a message of the Messages API', problem: message.error });
  }
  const { content, stop_reason, stop_details, usage } = message.data;
  const texts = content.flatMap((block) => textBlockSchema.safeParse(block).data?.text ?? []);
  const tool_calls = content.flatMap((block) => {
    const call = toolUseBlockSchema.safeParse(block).data;
    return call ? [{ id: call.id, name: call.name, ...parseToolArguments(call.input) }] : [];
  });
  const refusal = stop_reason === 'refusal' ? (stop_details?.explanation ?? null) : null;
  return {
    content: texts.length > 0 ? texts.join('') : refusal,
    tool_calls,
    usage,
    finish_reason: finishReason(stop_reason ?? 'stop'),
    raw_response: body,
    ...providerState(content),
  };
}

function providerState(content: WireMessage['content']): { provider_state?: unknown } {
  if (content.every((block) => block.type === 'text' || block.type === 'tool_use')) return {};
  const blocks = content.map((block) =>
    block.type === 'tool_use' ? { ...block, input: parseToolArguments(block.input).arguments } : block,
  );
  return { provider_state: { anthropic: { content: blocks } } };
}
