import { isRecord } from '../../../text/json/is-record.ts';
import { readChatMessage } from '../../../trace/forms/chat-message.ts';
import { readResponsesItem } from '../../../trace/forms/responses-items.ts';
import { type Usage, usageSchema } from '../../../trace/forms/usage.ts';
import type { ImportedConversation } from '../../import-format.ts';
import { amountOf, fieldsWithout, listIn, recordIn, textOf } from '../record-fields.ts';
import { timeOf } from '../session/session-clock.ts';
import { SessionLog } from '../session/session-log.ts';
import { knownUsage } from '../session/session-usage.ts';
import { errorOfExit, runInfo } from './run-info.ts';

type Fields = Record<string, unknown>;

const KNOWN: ReadonlySet<string> = new Set(['messages', 'info', 'trajectory_format', 'instance_id']);

export function isMiniTrajectory(value: Fields): boolean {
  if (!Array.isArray(value.messages)) return false;
  if (typeof value.trajectory_format === 'string' && value.trajectory_format.startsWith('mini-swe-agent')) return true;
  const info = recordIn(value, 'info');
  return 'mini_version' in info || ('exit_status' in info && 'model_stats' in info);
}

/** A trajectory of mini-swe-agent, whose only tool is a shell. */
export function readMiniTrajectory(run: Fields, line: number): ImportedConversation | null {
  const info = runInfo(run);
  const reader = new MiniReader(line);
  for (const [index, message] of listIn(run, 'messages').entries()) reader.read(message, index);
  const read = reader.log.finish({
    line,
    id: info.case,
    facts: {
      ...{ usage: info.usage ?? reader.usage, cost_usd: info.cost, model: reader.log.conversation.model ?? info.model },
      ...{ finish_reason: info.exit, error: errorOfExit(info.exit) },
    },
    fields: info.fields,
  });
  return (
    read && { ...read, case: info.case, given: info.given, aside: { ...read.aside, ...fieldsWithout(run, KNOWN) } }
  );
}

class MiniReader {
  readonly log = new SessionLog();
  readonly #line: number;
  readonly #usages: (Usage | null)[] = [];
  /** The command that the next message of the user has the output of. */
  #command: string | null = null;

  constructor(line: number) {
    this.#line = line;
  }

  get usage(): Usage | null {
    return knownUsage(this.#usages);
  }

  read(message: unknown, index: number): void {
    const place = `messages[${index}]`;
    const at = { line: this.#line, place };
    if (!isRecord(message)) this.log.lose(at, 'is no message');
    else this.log.attempt(at, () => this.#readMessage(message, { index, place }));
  }

  #readMessage(message: Fields, { index, place }: { index: number; place: string }): void {
    const { conversation, clock } = this.log;
    const extra = recordIn(message, 'extra');
    const time = timeOf(extra.timestamp);
    const id = this.#command;
    this.#command = null;
    if (message.object === 'response') {
      for (const item of listIn(message, 'output').filter(isRecord)) readResponsesItem(item, conversation, place);
      this.#attribute(extra, { ...extra, response: message }, time);
    } else if (message.role === 'assistant') {
      readChatMessage({ ...message, agent: undefined }, conversation, place);
      this.#attribute(extra, extra, time);
      const command = listIn(message, 'tool_calls').length > 0 ? null : commandOf(message, extra);
      if (command === null) return;
      this.#command = `message_${index}`;
      conversation.call({ id: this.#command, name: 'bash', arguments: { command } });
    } else if (message.role === 'user' && id !== null) {
      clock.returned(time);
      const code = amountOf(extra.returncode);
      conversation.result({ id, content: textOf(message, 'content') ?? '', is_error: code !== null && code !== 0 });
    } else if (message.role === 'exit') this.log.leave('exit');
    else this.#readOther(message, { extra, place, time });
  }

  #readOther(message: Fields, { extra, place, time }: { extra: Fields; place: string; time: number | null }): void {
    const { conversation, clock } = this.log;
    const code = extra.returncode;
    const failed = typeof code === 'number' && code !== 0;
    if (message.role === 'user') clock.asked(time);
    else if (message.role !== 'system') clock.returned(time);
    if (typeof message.type === 'string') readResponsesItem(message, conversation, place);
    else readChatMessage(failed ? { is_error: true, ...message } : message, conversation, place);
  }

  #attribute(extra: Fields, { response }: Fields, time: number | null): void {
    const { conversation, clock } = this.log;
    const answer = isRecord(response) ? response : {};
    const usage = usageSchema.safeParse(answer.usage).data ?? null;
    this.#usages.push(usage);
    conversation.by(answer.model);
    conversation.figures({ ...usage, cost_usd: amountOf(extra.cost), latency_seconds: clock.answered(time) });
  }
}

const FENCE = '```bash\n';

/** The command of an answer: the only block of code in it. */
function commandOf(message: Fields, extra: Fields): string | null {
  const [action] = listIn(extra, 'actions');
  const named = isRecord(action) ? textOf(action, 'command') : typeof action === 'string' ? action : null;
  if (named !== null) return named;
  const text = textOf(message, 'content') ?? '';
  const start = text.indexOf(FENCE);
  const end = start === -1 ? -1 : text.indexOf('\n```', start + FENCE.length - 1);
  return end === -1 || text.includes(FENCE, end) ? null : text.slice(start + FENCE.length, end);
}
