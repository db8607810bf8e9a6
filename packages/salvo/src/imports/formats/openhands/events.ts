import { isRecord } from '../../../text/json/is-record.ts';
import { mediumFile } from '../../../trace/files/medium-file.ts';
import { toolOutputText } from '../../../trace/forms/tool-output.ts';
import { listIn, recordIn, textOf } from '../record-fields.ts';
import type { StreamEvent } from './stream-event.ts';

type Fields = Record<string, unknown>;

/** What the program does for itself. */
const OWN_ACTIONS: ReadonlySet<string> = new Set([
  ...['recall', 'change_agent_state', 'null', 'condensation', 'condensation_request', 'pause', 'resume', 'initialize'],
]);
const OWN_OBSERVATIONS: ReadonlySet<string> = new Set([
  ...['recall', 'agent_state_changed', 'null', 'agent_condensation', 'loop_detection'],
]);

/** False for events that are no part of the conversation. */
export function readAction(action: string, stream: StreamEvent): boolean {
  const { event, log, time, line, place } = stream;
  const args = recordIn(event, 'args');
  if (OWN_ACTIONS.has(action)) return false;
  if (action === 'system') {
    log.message('system', args.content, { line, place: `${place}.args.content` });
    log.clock.seen(time);
  } else if (action === 'message' && event.source !== 'agent') {
    const files = listIn(args, 'image_urls').flatMap((url) => mediumFile({ url }) ?? []);
    if (event.source === 'user') log.clock.asked(time);
    log.conversation.text('user', textOf(args, 'content') ?? toolOutputText(args.content), files);
  } else if (event.source === 'agent') readAnswer(action, args, stream);
  else log.conversation.text('system', `[${action}] ${textOf(args, 'command', 'content', 'path') ?? ''}`.trim());
  return true;
}

/** A call, or a message of the agent. Calls of one response of the model are one answer. */
function readAnswer(action: string, args: Fields, { event, log, time, figures, place }: StreamEvent): void {
  const { conversation, clock } = log;
  const metadata = recordIn(event, 'tool_call_metadata');
  const response = recordIn(metadata, 'model_response');
  const id = textOf(metadata, 'tool_call_id') ?? `event_${textOf(event, 'id') ?? place}`;
  const key = textOf(response, 'id') ?? id;
  const isMessage = action === 'message';
  conversation.part(key, () => {
    const thought = isMessage ? textOf(args, 'content') : action === 'think' ? null : textOf(args, 'thought');
    if (thought !== null) conversation.say(thought, '\n');
    if (isMessage) return;
    const name = textOf(metadata, 'function_name') ?? action;
    conversation.call({ id, name, arguments: askedArguments(response, id) ?? withoutThought(args) });
  });
  const usage = 'usage' in response ? figures.response(key, response.usage) : null;
  conversation.by(response.model);
  conversation.figures({ ...usage, latency_seconds: clock.answered(time, key) });
  if (action === 'finish') figures.finalContent = textOf(args, 'final_thought', 'message') ?? textOf(args, 'thought');
  else figures.finalContent = null;
}

/** The arguments as the model wrote them. The event has those of the program. */
function askedArguments(response: Fields, id: string): unknown {
  for (const choice of listIn(response, 'choices')) {
    const message = isRecord(choice) ? recordIn(choice, 'message') : {};
    for (const call of listIn(message, 'tool_calls')) {
      if (isRecord(call) && call.id === id) return recordIn(call, 'function').arguments;
    }
  }
  return undefined;
}

function withoutThought({ thought: _, ...args }: Fields): Fields {
  return args;
}

/** False for events that are no part of the conversation. */
export function readObservation(observation: string, { event, log, time }: StreamEvent): boolean {
  if (OWN_OBSERVATIONS.has(observation)) return false;
  const { conversation, clock } = log;
  const cause = textOf(event, 'cause');
  const id =
    textOf(recordIn(event, 'tool_call_metadata'), 'tool_call_id') ?? (cause === null ? null : `event_${cause}`);
  const content = toolOutputText(event.content);
  clock.returned(time);
  if (id === null || (observation === 'error' && !conversation.isOpen(id))) {
    conversation.text('system', content);
    return true;
  }
  const extras = recordIn(event, 'extras');
  const code = recordIn(extras, 'metadata').exit_code ?? extras.exit_code;
  const failed = observation === 'error' || (typeof code === 'number' && code > 0);
  const images = listIn(extras, 'image_urls').flatMap((url) => mediumFile({ url }) ?? []);
  const refused = observation === 'user_rejected';
  conversation.result({ id, content, files: images, is_error: failed, ...(refused ? { refused } : {}) });
  return true;
}
