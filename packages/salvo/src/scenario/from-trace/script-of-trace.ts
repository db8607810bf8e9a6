import type { ScriptTurn } from '../../adapters/script-schema.ts';
import { agentTurns } from '../../trace/agent-turns.ts';
import { exactArguments } from './argument-values.ts';
import type { TraceDraft } from './scenario-draft.ts';

/** What the scripted adapter has to answer to say and do the same as in the trace. `messages` are those of the scenario. */
export function scriptOf({ trace, messages }: Pick<TraceDraft, 'trace' | 'messages'>): ScriptTurn[] {
  const turns = agentTurns(trace, { messages });
  const said = turns.flatMap(({ start, end }) => trace.messages.slice(start, end));
  return said.flatMap((message): ScriptTurn[] => {
    if (message.role !== 'assistant') return [];
    const tool_calls = message.tool_calls.map(({ name, arguments: args }) => ({
      name,
      arguments: exactArguments(args),
    }));
    return [
      { ...(message.content !== null && { content: message.content }), ...(tool_calls.length > 0 && { tool_calls }) },
    ];
  });
}
