import { Conversation } from '../../trace/forms/conversation.ts';
import { joinTrace } from '../../trace/forms/recorded/join-trace.ts';
import type { RecordedTrace } from '../../trace/forms/recorded/recorded-step.ts';
import type { ImportedConversation, Loss } from '../import-format.ts';
import { importedConversation, importedTrace } from '../imported-trace.ts';

export interface RecordedParts extends Partial<Omit<ImportedConversation, 'trace' | 'line'>> {
  trace: RecordedTrace;
  /** The line of each step, in their order. */
  lines: readonly number[];
}

/** The conversation that a tracing tool recorded in steps. Throws a `FormError` if nothing was said in it. */
export function recordedConversation({ trace, lines, losses = [], ...known }: RecordedParts): ImportedConversation {
  const { messages, agents, problems, ...facts } = joinTrace(trace);
  const conversation = new Conversation('call');
  // One by one: there may be more than a call can have arguments.
  for (const message of messages) conversation.messages.push(message);
  const line = lines[0] ?? 1;
  const lost = problems.map(({ place, problem }): Loss => ({ line: lineOf(place, lines) ?? line, place, problem }));
  return importedConversation({
    line,
    ...known,
    trace: importedTrace(conversation, facts),
    // The name of a single agent is in its messages.
    aside: { ...(agents.some(({ parent, asked }) => parent || asked.length > 0) ? { agents } : {}), ...known.aside },
    losses: [...losses, ...lost],
  });
}

/** Places begin with the number of the step: `spans[3] ("chat").input`. */
function lineOf(place: string, lines: readonly number[]): number | undefined {
  const [, index] = /^\w+\[(\d{1,9})\]/.exec(place) ?? [];
  return index === undefined ? undefined : lines[Number(index)];
}
