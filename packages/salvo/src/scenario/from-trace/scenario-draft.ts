import type { Message } from '../../trace/message.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Scenario } from '../schema/scenario-schema.ts';
import { exactArguments } from './argument-values.ts';
import { type CutConversation, cutConversation, type TurnRange } from './cut-conversation.ts';
import { recordedTools, type WrittenTool } from './recorded-tools.ts';
import type { SourceTrace } from './source-trace.ts';
import { withUsableCalls } from './usable-calls.ts';
import { writtenFiles } from './written-files.ts';

type WrittenMessage = NonNullable<Scenario['messages']>[number];

/** What a trace says about the scenario that it becomes, without assertions. */
export interface TraceDraft {
  systemPrompt: string | null;
  /** The whole conversation before and with the turns that the agent has to answer. */
  messages: WrittenMessage[];
  tools: WrittenTool[];
  /** What the assertions are tried on. */
  trace: Trace;
  notes: string[];
}

/** The task of a recording in which nobody asked for anything. */
const NO_TASK = 'Write the task here: the recording has no message of a user.';

export function traceDraft(source: SourceTrace, range: TurnRange | null): TraceDraft {
  const named = withUsableCalls(source.trace);
  const cut = cutConversation(named.trace, { scenario: source.scenario, range });
  const asked = cut.turns.map((turn) => writtenUser(turn));
  const hasTask = asked.length > 0;
  return {
    systemPrompt: cut.systemPrompt,
    messages: hasTask ? [...cut.history.flatMap(writtenMessage), ...asked] : [{ role: 'user', content: NO_TASK }],
    tools: recordedTools(cut.trace, source.scenario?.tools ?? []),
    trace: cut.trace,
    notes: [
      ...named.notes,
      ...cut.notes,
      ...(hasTask ? [] : ['The recording has no message of a user: complete the prompt.']),
      ...stateNotes(source.scenario),
      ...endNotes(cut),
    ],
  };
}

function writtenUser({
  content,
  files,
}: Extract<Message, { role: 'user' }>): Extract<WrittenMessage, { role: 'user' }> {
  const written = writtenFiles(files);
  return { role: 'user', content, ...(written && { files: written }) };
}

/** A message of the history; nothing if it says nothing. */
function writtenMessage(message: Message): WrittenMessage[] {
  switch (message.role) {
    case 'system':
      return [];
    case 'user':
      return [writtenUser(message)];
    case 'assistant': {
      const tool_calls = message.tool_calls.flatMap(({ id, name, arguments: args }) =>
        id.trim() === '' ? [] : [{ id, name, arguments: exactArguments(args) }],
      );
      const { content } = message;
      if (tool_calls.length === 0 && (content ?? '') === '') return [];
      return [{ role: 'assistant', content, tool_calls }];
    }
    case 'tool_result': {
      const { tool_call_id, name, content, is_error } = message;
      return tool_call_id.trim() === '' ? [] : [{ role: 'tool_result', tool_call_id, name, content, is_error }];
    }
  }
}

/** What the scenario of the trial had, and the new one cannot have. */
function stateNotes(scenario: Scenario | null): string[] {
  const names = (['state', 'workspace', 'services'] as const).filter((key) => scenario?.[key] !== undefined);
  if (names.length === 0) return [];
  return [`"${names.join('", "')}" of its scenario ${names.length === 1 ? 'was' : 'were'} not taken over.`];
}

/** A trial that ends like this is no pass, whatever the assertions say. */
function endNotes({ trace }: CutConversation): string[] {
  if (trace.error_code === 'AGENT_CRASHED') {
    return ['The agent crashed: a trial that ends like this has failed, whatever its assertions say.'];
  }
  return trace.error === null ? [] : ['The trial ended with an error: one that ends like this is not scored.'];
}
