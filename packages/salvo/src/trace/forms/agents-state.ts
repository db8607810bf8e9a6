import { z } from 'zod';
import { canonicalJson } from '../../text/json/canonical-json.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { remembered } from '../../text/memo.ts';
import type { Conversation } from './conversation.ts';
import { readAs } from './form-error.ts';
import { readMessages } from './read-messages.ts';
import { readResponsesItem } from './responses-items.ts';
import { type Usage, usageSchema } from './usage.ts';

const named = z.object({ name: z.string() }).nullish().catch(undefined);
const stateSchema = z.object({
  originalInput: z.union([z.string(), z.array(z.unknown())]),
  generatedItems: z.array(z.looseObject({ type: z.string(), agent: named, sourceAgent: named, rawItem: z.unknown() })),
  modelResponses: z.array(
    z.object({
      output: z.array(z.unknown()),
      usage: usageSchema,
      providerData: z.looseObject({}).nullish().catch(undefined),
    }),
  ),
  context: z.object({ usage: usageSchema }).nullish(),
  currentStep: z.looseObject({ type: z.string() }).nullish(),
});

type Response = z.infer<typeof stateSchema>['modelResponses'][number];

/** What a run of the OpenAI Agents SDK was: its conversation is written to `into`. */
interface AgentsRun {
  kind: 'conversation';
  usage: Usage | null;
  finish_reason: string | null;
}

/** The result of `run()`, which JSON writes as the state of the run; or that state by itself. */
export function agentsState(reply: Record<string, unknown>): Record<string, unknown> | undefined {
  return [reply.state, reply].filter(isRecord).find(({ generatedItems, modelResponses }) => {
    return Array.isArray(generatedItems) && Array.isArray(modelResponses);
  });
}

/** The items of a run have the agent that wrote them, and the responses of its models have tokens and the model. */
export function readAgentsState(given: Record<string, unknown>, into: Conversation): AgentsRun {
  const state = readAs(stateSchema, given, 'state');
  if (typeof state.originalInput === 'string') into.text('user', state.originalInput);
  else readMessages(state.originalInput, into, 'state.originalInput');
  const responseOf = responseFinder(state.modelResponses);
  let current: Response | undefined;
  for (const [index, item] of state.generatedItems.entries()) {
    const response = responseOf(item.rawItem);
    // Two answers in a row are no parts of one.
    if (response !== undefined && response !== current) into.endAnswer();
    current = response ?? current;
    readResponsesItem(item, into, `state.generatedItems[${index}]`);
    if (response === undefined) continue;
    into.spokenBy((item.agent ?? item.sourceAgent)?.name);
    into.by(response.providerData?.model);
    into.figures({ ...response.usage });
  }
  const sum = state.context?.usage ?? null;
  const isInterrupted = state.currentStep?.type === 'next_step_interruption';
  return { kind: 'conversation', usage: sum, finish_reason: isInterrupted ? 'interrupted' : null };
}

/** Finds the response that an item came with: an item is what its response has as output, in the same order. */
function responseFinder(responses: readonly Response[]): (item: unknown) => Response | undefined {
  const waiting = new Map<string, Response[]>();
  // From the last to the first, so that the first is at the end of its list.
  for (const response of responses.toReversed()) {
    for (const item of response.output) remembered(waiting, canonicalJson(item), () => []).push(response);
  }
  return (item) => waiting.get(canonicalJson(item))?.pop();
}
