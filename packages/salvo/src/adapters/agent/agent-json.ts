import { quoteOutput } from '../../text/output/quote-output.ts';
import type { Message } from '../../trace/message.ts';
import type { MessageForm } from '../../trace/write/message-form.ts';
import { leavesOutSystem, messagesAs, systemPrompt } from '../../trace/write/messages-as.ts';
import type { AdapterConfig, AdapterTurnResult, ToolDefinition } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import { type AgentReplySource, parseAgentReply } from './agent-reply.ts';
import { trialSeed } from './trial-seed.ts';

/** The request to an agent outside this process: the same JSON for a command and for a URL, in snake_case. */
export function agentRequest(
  messages: Message[],
  tools: ToolDefinition[],
  { form, ...config }: AdapterConfig & { form: MessageForm | undefined },
): Record<string, unknown> {
  const { model, temperature, maxTokens, seed, extras, conversation } = config;
  return {
    messages: form === undefined ? messages : messagesAs(messages, form),
    ...(form !== undefined && leavesOutSystem(form) && { system: systemPrompt(messages) }),
    tools,
    row: conversation?.row,
    share: conversation?.share,
    workspace: conversation?.environment?.workspace,
    services: conversation?.environment?.services,
    config: { model, temperature, max_tokens: maxTokens, seed, extras },
    conversation: conversation && {
      id: conversation.id,
      run_id: conversation.runId,
      scenario: conversation.scenario,
      case: conversation.case,
      trial_number: conversation.trialNumber,
      vote_number: conversation.voteNumber,
      request: conversation.request,
      seed: conversation.seed,
      trial_seed: trialSeed(conversation),
    },
  };
}

/**
 * Reads an agent's answer from JSON text. Anything beside one JSON value is an error, because it is usually a log line
 * on the wrong stream.
 */
export function parseAgentJson(text: string, source: AgentReplySource): AdapterTurnResult {
  const json = text.replace(/^\uFEFF/, '').trim();
  if (json === '') throw badJson(source, 'an empty answer');
  let reply: unknown;
  try {
    reply = JSON.parse(json);
  } catch (cause) {
    throw badJson(source, `something that is not JSON: ${quoteOutput(json)}`, cause);
  }
  return parseAgentReply(reply, source);
}

function badJson({ callee }: AgentReplySource, what: string, cause?: unknown): AdapterError {
  return new AdapterError(
    'bad_response',
    `${callee} answered with ${what}\nThe answer must be one JSON object, with "content", "tool_calls" or "messages", and nothing else: logs belong on stderr.`,
    { cause },
  );
}
