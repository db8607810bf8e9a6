import { isRecord } from '../../text/json/is-record.ts';
import { isNestedTooDeeply, MAX_NESTING } from '../../text/json/nesting.ts';
import { Conversation } from '../../trace/forms/conversation.ts';
import { FormError } from '../../trace/forms/form-error.ts';
import { joinTrace } from '../../trace/forms/recorded/join-trace.ts';
import type { RecordedTrace } from '../../trace/forms/recorded/recorded-step.ts';
import type { FileRecord, ImportedConversation, Loss } from '../import-format.ts';
import { importedConversation, importedTrace } from '../imported-trace.ts';

type Fields = Record<string, unknown>;

/** The objects of a list, or of the list that `listIn` finds in the page of an API; else the value itself. */
export function entriesOf(value: unknown, listIn: (page: Fields) => unknown): Fields[] {
  if (!isRecord(value)) return Array.isArray(value) ? value.filter(isRecord) : [];
  const list = listIn(value);
  return Array.isArray(list) ? list.filter(isRecord) : [value];
}

/** The parts of a trace that are objects. Throws a `FormError` if one is nested too deeply. */
export function* eachPart(records: readonly FileRecord[], what: string): Generator<FileRecord & { value: Fields }> {
  for (const { value, line } of records) {
    if (isNestedTooDeeply(value)) {
      throw new FormError(what, `is nested more than ${MAX_NESTING} levels deep on line ${line}`);
    }
    if (isRecord(value)) yield { value, line };
  }
}

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
