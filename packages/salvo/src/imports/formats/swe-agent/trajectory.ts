import { isRecord } from '../../../text/json/is-record.ts';
import { readChatMessage } from '../../../trace/forms/chat-message.ts';
import type { ImportedConversation } from '../../import-format.ts';
import { amountOf, fieldsWithout, listIn, textOf } from '../record-fields.ts';
import { SessionLog } from '../session/session-log.ts';
import { errorOfExit, runInfo } from './run-info.ts';

type Fields = Record<string, unknown>;

const KNOWN: ReadonlySet<string> = new Set([
  ...['history', 'trajectory', 'info', 'environment', 'replay_config', 'instance_id', 'attempts'],
]);

/** A trajectory of SWE-agent. The history is what the model saw; without it, the steps are. */
export function readTrajectory(
  run: Fields,
  { line, trial }: { line: number; trial: number | null },
): ImportedConversation | null {
  const log = new SessionLog();
  const info = runInfo(run);
  const history = listIn(run, 'history');
  const steps = listIn(run, 'trajectory');
  if (history.length > 0) readHistory(history, log, line);
  else readSteps(steps, log, line);
  const times = steps.flatMap((step) => (isRecord(step) ? (amountOf(step.execution_time) ?? []) : []));
  const read = log.finish({
    line,
    id: info.case === null || trial === null ? info.case : `${info.case}/${trial}`,
    facts: {
      ...{ usage: info.usage, cost_usd: info.cost, model: info.model, finish_reason: info.exit },
      error: errorOfExit(info.exit),
    },
    fields: {
      ...info.fields,
      ...(times.length > 0 ? { execution_seconds: times.reduce((sum, time) => sum + time, 0) } : {}),
    },
  });
  return (
    read && {
      ...read,
      case: info.case,
      trial,
      given: info.given,
      aside: { ...read.aside, ...fieldsWithout(run, KNOWN) },
    }
  );
}

function readHistory(history: readonly unknown[], log: SessionLog, line: number): void {
  let command: string | null = null;
  for (const [index, message] of history.entries()) {
    const at = { line, place: `history[${index}]` };
    if (!isRecord(message)) {
      log.lose(at, 'is no message');
      continue;
    }
    const isAnswer = command !== null && message.role === 'user' && message.message_type === 'observation';
    log.attempt(at, () => {
      if (message.role === 'assistant') command = readAnswer(message, log, { index, place: at.place });
      else if (isAnswer) answerCommand(message, log, { id: command, at: { line, place: `${at.place}.content` } });
      else readOther(message, log, at.place);
    });
    if (isAnswer) command = null;
  }
}

/** Returns the id of the command that the answer has, if it calls no function. */
function readAnswer(
  message: Fields,
  log: SessionLog,
  { index, place }: { index: number; place: string },
): string | null {
  const { conversation } = log;
  const hasCalls = listIn(message, 'tool_calls').length > 0;
  const action = textOf(message, 'action');
  const thoughts = listIn(message, 'thinking_blocks').map((block) =>
    isRecord(block) ? textOf(block, 'thinking') : null,
  );
  // `agent` is "main" for the only agent.
  const agent = message.agent === 'main' || message.agent === 'primary' ? undefined : message.agent;
  readChatMessage(
    { ...message, agent, reasoning: thoughts.filter((thought) => thought !== null).join('\n') },
    conversation,
    place,
  );
  if (hasCalls || action === null || action.trim() === '' || message.is_demo === true) return null;
  const id = `history_${index}`;
  conversation.call({ id, name: 'bash', arguments: { command: action } });
  return id;
}

function answerCommand(
  message: Fields,
  log: SessionLog,
  { id, at }: { id: string | null; at: { line: number; place: string } },
): void {
  const texts: string[] = [];
  const sink = {
    text: (text: string) => texts.push(text),
    marker: (name: string) => texts.push(name),
    reasoning: (text: string) => texts.push(text),
    call: () => log.lose(at, 'is a call in an observation'),
    result: ({ content }: { content: string }) => texts.push(content),
  };
  log.parts(message.content, sink, at);
  log.conversation.result({ id, content: texts.join('\n') });
}

function readOther(message: Fields, log: SessionLog, place: string): void {
  const [id] = listIn(message, 'tool_call_ids');
  const known = typeof id === 'string' ? { tool_call_id: id } : {};
  readChatMessage({ ...message, ...known }, log.conversation, place);
}

function readSteps(steps: readonly unknown[], log: SessionLog, line: number): void {
  const { conversation } = log;
  for (const [index, step] of steps.entries()) {
    if (!isRecord(step)) {
      log.lose({ line, place: `trajectory[${index}]` }, 'is no step');
      continue;
    }
    const action = textOf(step, 'action');
    const observation = textOf(step, 'observation');
    const id = `step_${index}`;
    conversation.assistant(() => {
      const said = textOf(step, 'response', 'thought');
      if (said !== null) conversation.say(said);
      if (action !== null) conversation.call({ id, name: 'bash', arguments: { command: action } });
    });
    if (action !== null && observation !== null) conversation.result({ id, content: observation });
  }
}
