import { sleep } from '../../models/call/sleep.ts';
import type { ToolFunction, TrialContext } from '../../scenario/code/scenario-definition.ts';
import { matchesArguments } from '../../scenario/compile/argument-match.ts';
import type { Mock, Tool } from '../../scenario/schema/tool-schema.ts';
import { errorMessage } from '../../text/errors/salvo-error.ts';
import { isFunction } from '../../text/json/is-record.ts';
import { remembered } from '../../text/memo.ts';
import type { ToolError } from '../../trace/trace.ts';
import type { ToolOutcome, ToolSource } from './tool-source.ts';

/** The mocks of a tool, which count in each trial how often an answer has been used; null if the tool has none. */
export function mockedTool(tool: Tool): ToolSource | null {
  const mocks = mocksOf(tool);
  if (mocks.length === 0) return null;
  return {
    start(context) {
      const uses = new Map<Mock, number>();
      return {
        async answer(call, signal) {
          for (const mock of mocks) {
            const used = uses.get(mock) ?? 0;
            if (mock.times !== undefined && used >= mock.times) continue;
            if (mock.when !== undefined && !matchesArguments(call.arguments, mock.when)) continue;
            uses.set(mock, used + 1);
            return await answerOf(mock, call.arguments, { ...context, signal });
          }
          return noAnswer(call.name);
        },
      };
    },
  };
}

export function problem(kind: ToolError['kind'], message: string): ToolOutcome {
  return { content: message, is_error: true, problem: { kind, message } };
}

export function noAnswer(name: string): ToolOutcome {
  return problem('no_matching_mock', `No answer is available for this call of "${name}".`);
}

function mocksOf(tool: Tool): Mock[] {
  if (tool.mock_responses) return tool.mock_responses;
  return tool.mock_response === undefined ? [] : [{ respond: tool.mock_response }];
}

async function answerOf(mock: Mock, args: Record<string, unknown>, context: TrialContext): Promise<ToolOutcome> {
  if (mock.delay_ms) await sleep(mock.delay_ms / 1000, context.signal);
  if (mock.error !== undefined) return problem('mocked_error', mock.error);
  const { respond, files } = mock;
  const outcome: ToolOutcome = isFunction<ToolFunction>(respond)
    ? await callFunction(respond, args, context)
    : { content: fixedText(respond), is_error: false, problem: null };
  return files && !outcome.is_error ? { ...outcome, files } : outcome;
}

/** What a function of the user answers to a call. What it throws is a tool error, which the agent sees. */
export async function callFunction(
  respond: ToolFunction,
  args: Record<string, unknown>,
  context: TrialContext,
): Promise<ToolOutcome> {
  try {
    // Copies: what the function does to its arguments must not change the trace, nor the row of others.
    const own = { ...context, row: structuredClone(context.row) };
    const response = await respond(structuredClone(args), own);
    return { content: toText(response), is_error: false, problem: null };
  } catch (error) {
    context.signal.throwIfAborted();
    return problem('mocked_error', errorMessage(error));
  }
}

function toText(response: unknown): string {
  return typeof response === 'string' ? response : (JSON.stringify(response) ?? '');
}

/** The same answers are given in every trial, and nobody changes them. */
const fixedTexts = new WeakMap<object, string>();

function fixedText(response: unknown): string {
  if (typeof response !== 'object' || response === null) return toText(response);
  return remembered(fixedTexts, response, () => toText(response));
}
