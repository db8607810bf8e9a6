import type { z } from 'zod';
import { isAgentCall, sameTool } from './agent-call.ts';
import type { ToolCallRecord, Trace, toolsSeenSchema } from './trace.ts';

export type ToolsSeen = z.infer<typeof toolsSeenSchema>;

/** What a scenario says about the calls of its agent. */
interface DeclaringScenario {
  tools_seen?: 'all' | undefined;
  tools?: readonly { name: string; agent?: boolean | undefined }[] | undefined;
}

export interface KnownTools {
  seen: ToolsSeen;
  /** Nobody saw that these are all calls: the user says so. False if it was seen. */
  declared: boolean;
  /** Why an agent that is observed was not seen; null if it was, or is not observed. */
  problem: string | null;
  /** Tools that are agents and were called: their own calls were not seen. Empty if the calls are declared. */
  agents: string[];
}

/**
 * How the tool calls of a trial are known: from its trace, and from what the agent, its adapter, the scenario or
 * `defaults` declare. A declaration counts only where something was not seen.
 */
export function toolsKnown(
  trace: Pick<Trace, 'tools_seen' | 'tools_declared' | 'tool_calls_made' | 'observed'>,
  scenario: DeclaringScenario | undefined,
): KnownTools {
  // Traces of earlier versions do not say it.
  const seen = trace.tools_seen ?? 'reported';
  const agents = trace.tool_calls_made.filter(
    (call) => call.seen !== 'observed' && (call.agent || isAgentCall(call, scenario?.tools)),
  );
  const isHidden = seen === 'unknown' || agents.length > 0;
  const declared = isHidden && (trace.tools_declared === true || scenario?.tools_seen === 'all');
  return {
    seen: declared && seen === 'unknown' ? 'reported' : seen,
    declared,
    agents: declared ? [] : [...new Set(agents.map(({ name }) => name))],
    problem: trace.observed?.problem ?? null,
  };
}

/** Whether an answer of the agent reported its conversation, and whether one was nothing but a text. */
export interface AnswersSeen {
  reported: boolean;
  text: boolean;
}

/**
 * How the tool calls of a trial are known, by its answers. A text says nothing about calls, unless the agent used the
 * mocks in the same trial: then that is how it calls tools.
 */
export function seenInTrial(answers: AnswersSeen, calls: readonly ToolCallRecord[]): ToolsSeen {
  const usedMocks = calls.some(({ seen }) => seen === 'observed');
  if (answers.text && !usedMocks) return 'unknown';
  const isReported = calls.some(({ seen }) => seen !== 'observed');
  return isReported || (answers.reported && !usedMocks) ? 'reported' : 'observed';
}

/** Whether a call was executed, as far as is known. In a trace of an earlier version all were. */
export function wasExecuted({ seen }: Pick<ToolCallRecord, 'seen'>): boolean {
  return seen !== 'requested';
}

/** Calls of the given tools that were executed, as far as is known, and that Salvo did not answer. */
export function reportedCalls(
  { tool_calls_made }: Pick<Trace, 'tool_calls_made'>,
  tools: readonly { name: string }[],
): ToolCallRecord[] {
  return tool_calls_made.filter(
    (call) => call.seen !== 'observed' && wasExecuted(call) && tools.some(({ name }) => sameTool(name, call.name)),
  );
}
