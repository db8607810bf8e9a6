import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { cutEnd } from '../../text/words/cut-text.ts';
import { toolArgumentsText } from '../../trace/tool-arguments.ts';
import { type KnownTools, toolsKnown } from '../../trace/tools-seen.ts';
import type { Trace } from '../../trace/trace.ts';

/** What a judge may see of a scenario. */
export type JudgedScenario = Partial<Pick<Scenario, 'system_prompt' | 'prompt' | 'messages' | 'tools_seen'>> & {
  tools?: readonly { name: string; description?: string | undefined; agent?: boolean | undefined }[] | undefined;
};

const SYSTEM_PROMPT_LENGTH = 2000;

/** A summary of the tool calls, one line each. */
export function buildToolCallSummary(
  trace: Pick<Trace, 'tool_calls_made' | 'tools_seen' | 'tools_declared'>,
  maxArgLength = 100,
  scenario?: JudgedScenario,
): string {
  if (trace.tool_calls_made.length === 0) return noToolCalls(toolsKnown(trace, scenario));
  return trace.tool_calls_made
    .map((call, index) => `${index + 1}. ${call.name}(${cutEnd(toolArgumentsText(call.arguments), maxArgLength)})`)
    .join('\n');
}

/** What a judge reads if a trace has no tool calls: nobody may have seen whether there were any. */
export function noToolCalls({ seen, declared }: Pick<KnownTools, 'seen' | 'declared'>): string {
  if (seen === 'unknown') return 'Unknown: the agent did not report its tool calls. It may have made some, or none.';
  return declared
    ? 'No tool calls were made, as the agent declares. This was not observed.'
    : 'No tool calls were made.';
}

/**
 * A summary of a trace: the final response and the tool calls. It has no fences, so it is for people and for custom
 * prompts; the judge gets `buildJudgeContext`.
 */
export function buildContext(
  trace: Pick<Trace, 'final_content' | 'tool_calls_made' | 'tools_seen' | 'tools_declared'>,
  scenario?: JudgedScenario,
  includeSystemPrompt = false,
): string {
  const sections = [
    `## Agent's Final Response\n${trace.final_content || '(empty)'}`,
    `## Tool Calls Made\n${buildToolCallSummary(trace, undefined, scenario)}`,
  ];
  if (includeSystemPrompt && scenario) {
    const { system_prompt, tools } = scenario;
    if (system_prompt) sections.push(`## Scenario System Prompt\n${cutEnd(system_prompt, SYSTEM_PROMPT_LENGTH)}`);
    if (tools && tools.length > 0) sections.push(`## Available Tools\n${toolList(tools)}`);
  }
  return sections.join('\n\n');
}

/** Names and descriptions, one line each. */
export function toolList(tools: NonNullable<JudgedScenario['tools']>): string {
  // The tools of a server are known to nobody but the agent.
  const named = tools.filter(({ name }) => name !== '');
  return named.map(({ name, description }) => (description ? `- ${name}: ${description}` : `- ${name}`)).join('\n');
}
