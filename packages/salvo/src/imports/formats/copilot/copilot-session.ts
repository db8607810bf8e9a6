import { isRecord } from '../../../text/json/is-record.ts';
import { mediaName } from '../../../trace/files/media-type.ts';
import { mediumFile } from '../../../trace/files/medium-file.ts';
import { isText } from '../../../trace/forms/recorded/recorded-step.ts';
import { toolErrorText, toolOutput } from '../../../trace/forms/tool-output.ts';
import type { Usage } from '../../../trace/forms/usage.ts';
import type { FileRecord, ImportedConversation } from '../../import-format.ts';
import { amountOf, listIn, recordIn, textOf } from '../record-fields.ts';
import { timeOf } from '../session/session-clock.ts';
import { SessionLog } from '../session/session-log.ts';
import { CopilotTokens } from './copilot-tokens.ts';

type Data = Record<string, unknown>;

interface SessionEvent {
  line: number;
  type: string;
  data: Data;
  time: number | null;
  /** Of a sub-agent: the call that started it, or what the file calls it. */
  agent: string | null;
}

/** What the program writes in the user's name has a source like these. */
const ADDED = /^(?:skill|agent|system|autopilot|schedule|hook|thread|jit)/;
const REFUSED: ReadonlySet<unknown> = new Set(['denied', 'rejected']);

/** The conversation of one file of events. */
export class CopilotSession {
  readonly #log = new SessionLog();
  readonly #tokens = new CopilotTokens();
  readonly #fields: Data = {};
  readonly #calls = new Set<string>();
  #model: string | null = null;
  #error: string | null = null;
  /** Thoughts that come as events of their own, before the answer. */
  #thoughts: string[] = [];
  #hasReasoning = false;
  /** The answer whose calls may follow as events only. */
  #lastAnswer: { key: string; agent: string | null } | null = null;

  read(records: readonly FileRecord[]): void {
    const events = [...this.#events(records)];
    this.#hasReasoning = events.some(({ type, data }) => type === 'assistant.message' && isText(data.reasoningText));
    for (const event of events) this.#readEvent(event);
  }

  finish(line: number): ImportedConversation | null {
    const { usage } = this.#tokens;
    const conversation = this.#log.finish({
      line,
      id: textOf(this.#fields, 'sessionId'),
      facts: { usage, error: this.#error, model: this.#log.conversation.model ?? this.#model },
      fields: this.#fields,
    });
    // Only the end of a session tells the tokens of its input.
    if (conversation && usage === null) conversation.trace.output_tokens = this.#tokens.output;
    return conversation;
  }

  *#events(records: readonly FileRecord[]): Generator<SessionEvent> {
    const ids = new Set<string>();
    for (const { value, line } of records) {
      if (!isRecord(value) || typeof value.type !== 'string') {
        this.#log.lose({ line, place: 'it' }, 'is no event with a type');
        continue;
      }
      const id = textOf(value, 'id');
      if (id !== null && ids.has(id)) {
        this.#log.leave('repeated event');
        continue;
      }
      if (id !== null) ids.add(id);
      const data = recordIn(value, 'data');
      const agent = textOf(data, 'parentToolCallId') ?? textOf(value, 'agentId');
      yield { line, type: value.type, data, time: timeOf(value.timestamp), agent };
    }
  }

  #readEvent(event: SessionEvent): void {
    const { type, data, time } = event;
    if (type === 'user.message') this.#readUser(event);
    else if (type === 'assistant.message') this.#readAnswer(event);
    else if (type === 'assistant.reasoning') this.#readReasoning(data);
    else if (type === 'tool.execution_start' || type === 'tool.user_requested') this.#readStart(event);
    else if (type === 'tool.execution_complete') this.#readResult(event);
    else if (type === 'system.message') this.#readSystem(event);
    else {
      this.#log.clock.seen(time);
      this.#readFacts(event);
      this.#log.leave(type);
    }
  }

  #readUser({ line, data, time, agent }: SessionEvent): void {
    this.#lastAnswer = null;
    const isAdded = agent !== null || data.isAutopilotContinuation === true || ADDED.test(String(data.source ?? ''));
    if (isAdded) this.#log.clock.seen(time);
    else this.#log.clock.asked(time);
    if (agent !== null && this.#wasAsked(agent, data.content)) return;
    const texts: string[] = [];
    if (isText(data.content)) texts.push(data.content);
    const attachments = listIn(data, 'attachments').filter(isRecord);
    for (const attachment of attachments) {
      texts.push(mediaName(kindOf(attachment), attachment.displayName ?? attachment.path));
    }
    if (data.content === undefined) this.#log.lose({ line, place: 'data.content' }, 'is missing');
    const files = attachments.flatMap((attachment) => mediumFile(attachment) ?? []);
    if (isAdded) this.#log.conversation.text('system', texts.join('\n'));
    else this.#log.conversation.text('user', texts.join('\n'), files);
  }

  #readAnswer({ line, data, time, agent }: SessionEvent): void {
    const { conversation, clock } = this.#log;
    const key = textOf(data, 'apiCallId', 'messageId') ?? `line ${line}`;
    this.#lastAnswer = { key, agent };
    const thoughts = isText(data.reasoningText) ? [data.reasoningText] : this.#thoughts;
    this.#thoughts = [];
    conversation.part(key, () => {
      for (const thought of thoughts) conversation.think(thought);
      this.#log.say(data.content === '' ? null : (data.content ?? data.transformedContent), {
        line,
        place: 'data.content',
      });
      for (const [index, request] of listIn(data, 'toolRequests').entries()) {
        const name = isRecord(request) ? textOf(request, 'name', 'toolName') : null;
        if (!isRecord(request) || name === null) {
          this.#log.lose({ line, place: `data.toolRequests[${index}]` }, 'has no name of a tool');
        } else this.#call({ id: textOf(request, 'toolCallId'), name, arguments: request.arguments });
      }
    });
    conversation.by(data.model ?? this.#model);
    conversation.figures({
      latency_seconds: clock.answered(time, key),
      output_tokens: this.#tokens.answered(key, amountOf(data.outputTokens)),
    });
    if (agent !== null) conversation.spokenBy(this.#agentNamed(agent));
    else this.#error = null;
  }

  #call(call: { id: string | null; name: string; arguments: unknown }): void {
    if (call.id !== null) this.#calls.add(call.id);
    const given =
      typeof call.arguments === 'object' || call.arguments === undefined || typeof call.arguments === 'string';
    this.#log.conversation.call(given ? call : { ...call, arguments: { input: call.arguments } });
  }

  /** Messages repeat it, if they have thoughts at all. */
  #readReasoning(data: Data): void {
    const thought = textOf(data, 'content');
    if (thought !== null && !this.#hasReasoning) this.#thoughts.push(thought);
    this.#log.leave('assistant.reasoning');
  }

  /** The message of the model has the call already, unless the user asked for it. */
  #readStart({ type, data, time, agent }: SessionEvent): void {
    this.#log.clock.seen(time);
    this.#model ??= textOf(data, 'model');
    const id = textOf(data, 'toolCallId');
    const name = textOf(data, 'toolName', 'name');
    if ((id !== null && this.#calls.has(id)) || name === null) {
      this.#log.leave(type);
      return;
    }
    const { conversation } = this.#log;
    const last = this.#lastAnswer;
    const isOfAnswer = type === 'tool.execution_start' && last !== null && last.agent === agent;
    const call = () => this.#call({ id, name, arguments: data.arguments });
    if (isOfAnswer) conversation.part(last.key, call);
    else conversation.item(call);
    if (type === 'tool.user_requested') conversation.spokenBy('user');
    else if (agent !== null) conversation.spokenBy(this.#agentNamed(agent));
  }

  #readResult({ data, time }: SessionEvent): void {
    this.#log.clock.returned(time);
    this.#model ??= textOf(data, 'model');
    const result = isRecord(data.result) ? data.result : { content: data.result };
    const error = isRecord(data.error) ? data.error : null;
    const failed = data.success === false || error !== null;
    const { content, files = [] } = toolOutput(result.content ?? result.detailedContent ?? result.contents);
    const images = listIn(result, 'binaryResultsForLlm').flatMap((medium) => mediumFile(medium) ?? []);
    this.#log.conversation.result({
      id: textOf(data, 'toolCallId'),
      name: textOf(data, 'toolName', 'name'),
      content: content === '' && failed ? toolErrorText(data.error) : content,
      files: [...files, ...images],
      is_error: failed,
      refused: REFUSED.has(error?.code),
    });
  }

  #readSystem({ line, data, time }: SessionEvent): void {
    this.#log.clock.seen(time);
    this.#log.message('system', data.content, { line, place: 'data.content' });
  }

  /** Events that tell something about the session, and are no part of the conversation. */
  #readFacts({ type, data, agent }: SessionEvent): void {
    if (type === 'session.start' || type === 'session.resume') this.#readContext(data);
    else if (type === 'session.model_change') this.#model = textOf(data, 'newModel') ?? this.#model;
    else if (type === 'session.error') this.#error = textOf(data, 'message', 'errorType') ?? 'error';
    else if (type === 'abort' && agent === null) {
      this.#error = `the turn was aborted${isText(data.reason) ? `: ${data.reason}` : ''}`;
    } else if (type.startsWith('subagent.')) this.#nameAgent(data, agent);
    else if (type === 'assistant.usage') this.#count(data);
    else if (type === 'session.shutdown') {
      this.#tokens.ended(data);
      this.#model ??= textOf(data, 'currentModel');
      const premium = amountOf(data.totalPremiumRequests);
      if (premium !== null) this.#fields.totalPremiumRequests = premium;
    }
  }

  #readContext(data: Data): void {
    for (const name of ['sessionId', 'copilotVersion', 'producer', 'context']) {
      if (data[name] !== undefined) this.#fields[name] ??= data[name];
    }
    this.#model = textOf(data, 'selectedModel') ?? this.#model;
  }

  #count(data: Data): void {
    const usage: Usage | null = this.#tokens.called(data);
    if (usage !== null && this.#log.conversation.messages.at(-1)?.role === 'assistant')
      this.#log.conversation.figures(usage);
  }

  #nameAgent(data: Data, agent: string | null): void {
    const call = textOf(data, 'toolCallId');
    const name = textOf(data, 'agentName', 'agentDisplayName');
    for (const key of [call, agent]) if (key !== null && name !== null) this.#log.agents.set(key, { name, call });
  }

  #agentNamed(key: string): string {
    const known = this.#log.agents.get(key);
    if (known) return known.name;
    const input = this.#log.conversation.argumentsOf(key) ?? {};
    const name = textOf(input, 'agent_type', 'agentName', 'name') ?? 'sub-agent';
    this.#log.agents.set(key, { name, call: this.#calls.has(key) ? key : null });
    return name;
  }

  /** The call that started a sub-agent says what it was asked to do. */
  #wasAsked(agent: string, content: unknown): boolean {
    const call = this.#log.agents.get(agent)?.call ?? agent;
    return this.#log.conversation.argumentsOf(call)?.prompt === content && content !== undefined;
  }
}

function kindOf({ type, mimeType }: Data): string {
  if (typeof mimeType === 'string' && mimeType.startsWith('image/')) return 'image';
  return typeof type === 'string' && type !== 'blob' ? type : 'file';
}
