import type { Scenario } from '../schema/scenario-schema.ts';
import type { TraceDraft } from './scenario-draft.ts';
import type { Proposal } from './source-trace.ts';

/** A scenario as it is written to a file: only the fields that are not the default. */
export type WrittenScenario = Record<string, unknown>;

export interface ScenarioHead {
  name: string;
  description: string;
  /** Of the scenario that the trace was recorded with, as far as it stays true. */
  agent: Partial<Pick<Scenario, 'adapter' | 'model' | 'script' | 'tools_seen' | 'own_tools'>>;
}

const DEFAULT_MAX_TURNS = 10;
const SPARE_TURNS = 5;

/** The scenario of one trace. */
export function scenarioOfDraft(head: ScenarioHead, draft: TraceDraft): WrittenScenario {
  const { systemPrompt, messages, tools } = draft;
  return {
    ...beginning(head),
    ...(systemPrompt !== null && { system_prompt: systemPrompt }),
    ...conversation(messages),
    ...(tools.length > 0 && { tools }),
    ...turnsField([draft]),
  };
}

export function beginning({ name, description, agent }: ScenarioHead): WrittenScenario {
  return { name, description, ...agent };
}

/** A task of one message is a prompt. */
function conversation(messages: TraceDraft['messages']): WrittenScenario {
  const [only, ...others] = messages;
  if (only?.role !== 'user' || others.length > 0 || only.content.trim() === '') {
    return { messages: messages.map(plainMessage) };
  }
  return { prompt: only.content, ...(only.files && { files: only.files }) };
}

/** Without what is the default. */
export function plainMessage(message: TraceDraft['messages'][number]): Record<string, unknown> {
  if (message.role === 'tool_result') {
    const { is_error, ...rest } = message;
    return is_error ? message : rest;
  }
  if (message.role === 'user') return message;
  const { role, content, tool_calls } = message;
  return { role, ...(content !== null && { content }), ...(tool_calls.length > 0 && { tool_calls }) };
}

/** Only if the agent would be stopped before it is done. */
export function turnsField(drafts: readonly TraceDraft[]): WrittenScenario {
  const most = Math.max(...drafts.map(({ trace }) => trace.turn_count));
  const needed = Math.min(1000, most + SPARE_TURNS);
  return needed > DEFAULT_MAX_TURNS ? { max_turns: needed } : {};
}

/** The scenario with its assertions last, where people look for them. */
export function withAssertions(scenario: WrittenScenario, proposals: readonly Proposal[]): WrittenScenario {
  return { ...scenario, assertions: proposals.map(({ assertion }) => assertion) };
}
