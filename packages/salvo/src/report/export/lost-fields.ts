import { changesBetween } from '../../text/json/json-changes.ts';
import { finalContent, type Message, type MessageFile } from '../../trace/message.ts';
import { toolCallsOf } from '../../trace/tool-calls-of.ts';
import type { Trace } from '../../trace/trace.ts';
import { outcomeOf, type TrialToExport } from './exported-parts.ts';

/** What a form of others has of a trace: its messages, as far as the form can say them. Facts are the same in all forms. */
export type CarriedMessages = (messages: readonly Message[]) => Message[];

/** Fields of a trace that every form has as they are, in its place for facts that are not its own. */
const FACTS = [
  ...['model', 'asked_model', 'provider', 'timestamp', 'latency_seconds', 'input_tokens', 'output_tokens'],
  ...['total_tokens', 'cost_usd', 'finish_reason', 'error', 'error_code'],
] as const;

/** Where the trial is stored, how it ended, and what is known of its trace as a whole. */
export function factsOf(trial: TrialToExport): Record<string, unknown> {
  return { ...outcomeOf(trial), ...traceFacts(trial.trace) };
}

function traceFacts(trace: Trace): Record<string, unknown> {
  const given = Object.entries(trace).filter(([name, value]) => FACTS.some((fact) => fact === name) && value !== null);
  return Object.fromEntries(given);
}

/**
 * The fields of a trace that somebody who reads the exported trial cannot know, such as `messages[].step`. They are found by
 * comparing the trace with what can be read, so that a field which is new in traces is never lost without a word.
 */
export function lostFields(trace: Trace, carried: CarriedMessages): string[] {
  const messages = carried(trace.messages);
  const readable = {
    messages,
    tool_calls_made: toolCallsOf(messages),
    tools_seen: 'reported',
    turn_count: messages.filter(({ role }) => role === 'assistant').length,
    final_content: finalContent(messages),
    scenario_hash: trace.scenario_hash === '' ? '' : null,
    ...traceFacts(trace),
  };
  const lost = changesBetween(readable, trace).filter(({ after }) => isTelling(after));
  return [...new Set(lost.map(({ path }) => fieldOf(path)))];
}

/** Nothing is lost of what is empty. */
function isTelling(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** `/messages/3/step/model` is `messages[].step.model`. Deeper names are those of the user's own data. */
function fieldOf(path: string): string {
  const steps = path.split('/').slice(1);
  const names = steps.map((step) => (/^\d+$/.test(step) ? '[]' : `.${step}`));
  return names
    .slice(0, names.includes('[]') ? 4 : 2)
    .join('')
    .slice(1);
}

/** A file without what no other form has. */
function carriedFile({ media_type, data, url }: MessageFile): MessageFile {
  return { media_type, ...(data === undefined ? {} : { data }), ...(url === undefined ? {} : { url }) };
}

/** The message with only these of its files. */
export function withFiles<Of extends Message>(message: Of, files: readonly MessageFile[]): Of {
  const { files: _, ...rest } = { files: undefined, ...message };
  return (files.length === 0 ? rest : { ...rest, files: files.map(carriedFile) }) as Of;
}
