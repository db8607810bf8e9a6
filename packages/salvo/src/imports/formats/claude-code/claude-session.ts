import { isRecord } from '../../../text/json/is-record.ts';
import { type Usage, usageSchema } from '../../../trace/forms/usage.ts';
import type { ImportedConversation } from '../../import-format.ts';
import { amountOf, listIn, recordIn, textOf } from '../record-fields.ts';
import { timeOf } from '../session/session-clock.ts';
import { SessionLog } from '../session/session-log.ts';
import { knownUsage } from '../session/session-usage.ts';
import { abandonedLines } from './abandoned-lines.ts';
import { isAdded, isAddedMessage, isOfProgram } from './added-message.ts';
import { RepeatedParts } from './repeated-parts.ts';
import { type ResultFacts, resultFacts } from './result-facts.ts';
import type { SessionLine } from './session-line.ts';
import { SubAgents } from './sub-agents.ts';

/** What is known of an answer, of which several lines tell. */
interface AnswerFigures {
  usage: Usage | null;
  cost: number | null;
}

/** The conversation of one session file. */
export class ClaudeSession {
  readonly log = new SessionLog();
  readonly #answers = new Map<string, AnswerFigures>();
  readonly #fields: Record<string, unknown> = {};
  readonly #seen = new Set<string>();
  readonly #results: Record<string, unknown>[] = [];
  readonly #repeated = new RepeatedParts();
  /** What the user wrote, by lines that say it as a message. */
  #prompts: ReadonlySet<unknown> = new Set();
  #line = 1;
  #agents = new SubAgents([]);
  /** In a file of a sub-agent all lines are its own. */
  #ownAgent: string | null = null;
  readonly #about: Record<string, unknown>;
  #error: string | null = null;

  /** @param about What a file beside that of a sub-agent says about it. */
  constructor(about: Record<string, unknown> = {}) {
    this.#about = about;
  }

  read(lines: readonly SessionLine[]): void {
    this.#line = lines.find(isMessage)?.line ?? 1;
    const ownAgent = agentOfFile(lines);
    const own = ownAgent === null ? lines : lines.map((line) => ({ ...line, agent: null }));
    this.#ownAgent = ownAgent;
    this.#agents = new SubAgents(own);
    this.#prompts = new Set(own.flatMap(promptsOf));
    const abandoned = abandonedLines(own);
    if (abandoned.branches > 0) this.#fields.abandoned_branches = abandoned.branches;
    for (const line of own) {
      if (!abandoned.lines.has(line)) this.#readLine(line);
      else {
        if (line.uuid !== null) this.#seen.add(line.uuid);
        // The tokens of an answer were used, also if the user did not want it.
        if (line.type === 'assistant') this.#count(keyOf(line), figuresOf(line));
        this.log.leave(`abandoned ${line.type}`);
      }
    }
  }

  finish(): ImportedConversation | null {
    const result: ResultFacts = resultFacts(this.#results);
    const { sessionId } = this.#fields;
    const id = typeof sessionId === 'string' ? sessionId : null;
    const figures = [...this.#answers.values()];
    const costs = figures.flatMap(({ cost }) => (cost === null ? [] : [cost]));
    const own = {
      usage: knownUsage(figures.map(({ usage }) => usage)),
      cost_usd: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
      error: this.#error,
    };
    return this.log.finish({
      line: this.#line,
      id: id !== null && this.#ownAgent !== null ? `${id}/${this.#ownAgent}` : id,
      facts: {
        ...result,
        usage: result.usage ?? own.usage,
        cost_usd: result.cost_usd ?? own.cost_usd,
        error: result.error ?? own.error,
      },
      fields: { ...this.#fields, ...this.#agentFields() },
    });
  }

  #agentFields(): Record<string, unknown> {
    if (this.#ownAgent === null) return {};
    const { agentType, description, toolUseId } = this.#about;
    const told = Object.entries({ agentType, description, toolUseId }).filter(([, value]) => typeof value === 'string');
    return { agentId: this.#ownAgent, ...Object.fromEntries(told) };
  }

  #readLine(line: SessionLine): void {
    const { value, type, uuid, copyOf } = line;
    const ids = [uuid, copyOf].filter((id) => id !== null);
    const isRepeated = ids.some((id) => this.#seen.has(id));
    for (const id of ids) this.#seen.add(id);
    if (isRepeated) {
      this.log.leave('repeated line');
      return;
    }
    for (const name of ['sessionId', 'cwd', 'version', 'gitBranch']) this.#keep(name, value[name]);
    this.#keep('sessionId', value.session_id);
    this.#keep('forkedFrom', textOf(recordIn(value, 'forkedFrom'), 'sessionId'));
    if (type === 'user') this.#readUser(line);
    else if (type === 'assistant') this.#readAnswer(line);
    else if (type === 'attachment') this.#readAttachment(line);
    else if (type === 'result') this.#results.push(value);
    else if (type === 'queue-operation') this.#readQueue(line);
    else this.#leaveLine(line);
  }

  #readUser(line: SessionLine): void {
    const { value, message } = line;
    const content = this.#repeated.newOfUser(message.content);
    const at = { line: line.line, place: 'message.content' };
    const agent = this.#agents.of(line);
    const isProgram = isAddedMessage(line);
    const hasResult = listIn(message, 'content').some((part) => isRecord(part) && part.type === 'tool_result');
    const time = timeOf(value.timestamp);
    if (hasResult || agent !== null) this.log.clock.returned(time);
    else if (isProgram) this.log.clock.seen(time);
    else this.log.clock.asked(time);
    if (agent !== null) this.log.agents.set(agent.key, { name: agent.name, call: agent.call });
    if (hasResult) this.#noteAgentResult(line);
    if (message.content === undefined || message.content === null) this.log.lose(at, 'is missing');
    else if (content === undefined) this.log.leave('repeated line');
    else if (agent?.wasAsked(content)) return;
    else this.log.message(agent !== null || isProgram ? 'system' : 'user', content, at);
  }

  #readAnswer(line: SessionLine): void {
    const { value, message } = line;
    const { conversation } = this.log;
    const key = keyOf(line);
    const isError = value.isApiErrorMessage === true;
    const content = this.#repeated.newOfAnswer(key, message.content);
    this.#count(key, figuresOf(line));
    if (content === undefined && message.content !== undefined) {
      this.log.leave('repeated line');
      return;
    }
    conversation.part(key, () => this.log.say(content, { line: line.line, place: 'message.content' }));
    conversation.by(message.model);
    const latency_seconds = this.log.clock.answered(timeOf(value.timestamp), key);
    const known = this.#answers.get(key);
    conversation.figures({ ...known?.usage, cost_usd: known?.cost, latency_seconds: isError ? null : latency_seconds });
    const agent = this.#agents.of(line);
    if (agent !== null) this.log.agents.set(agent.key, { name: agent.name, call: agent.call });
    const ownName = this.#ownAgent === null ? null : textOf(this.#about, 'name', 'agentType');
    conversation.spokenBy(agent?.name ?? ownName ?? this.#ownAgent);
    if (agent !== null) return;
    conversation.endedBy(textOf(message, 'stop_reason'));
    this.#error = isError ? textOfParts(message.content) : null;
  }

  /** The lines of one answer repeat its figures, and the last of them is the whole. */
  #count(key: string, { usage, cost }: AnswerFigures): void {
    const known = this.#answers.get(key) ?? { usage: null, cost: null };
    const isMore = usage !== null && (known.usage === null || usage.output_tokens >= known.usage.output_tokens);
    this.#answers.set(key, { usage: isMore ? usage : known.usage, cost: cost ?? known.cost });
  }

  /** What the user wrote while the agent worked is an attachment. Others are notes of the program. */
  #readAttachment(line: SessionLine): void {
    const attachment = recordIn(line.value, 'attachment');
    const { type, prompt } = attachment;
    if (type !== 'queued_command' || prompt === undefined) {
      this.log.leave(`attachment/${typeof type === 'string' ? type : 'unknown'}`);
      return;
    }
    const isCommand = attachment.commandMode !== undefined && attachment.commandMode !== 'prompt';
    const isUser = !isCommand && !isAdded(attachment);
    this.log.clock.seen(timeOf(line.value.timestamp));
    this.log.message(isUser ? 'user' : 'system', prompt, { line: line.line, place: 'attachment.prompt' });
  }

  /** What the user wrote while the agent worked. Some versions say it only where it leaves the queue. */
  #readQueue(line: SessionLine): void {
    const { operation, reason, content, timestamp } = line.value;
    const isRead = operation === 'remove' && reason === 'absorbed_mid_turn' && typeof content === 'string';
    if (!isRead || this.#prompts.has(content) || isOfProgram(content)) {
      this.#leaveLine(line);
      return;
    }
    this.log.clock.seen(timeOf(timestamp));
    this.log.message('user', content, { line: line.line, place: 'content' });
  }

  #leaveLine({ line, value, type, message }: SessionLine): void {
    this.log.clock.seen(timeOf(value.timestamp));
    if (type === 'summary') this.#fields.summary = value.summary;
    if (value.subtype === 'compact_boundary') this.#fields.compactions = Number(this.#fields.compactions ?? 0) + 1;
    const isMessageOfUnknownType = typeof message.role === 'string' && 'content' in message;
    if (isMessageOfUnknownType)
      this.log.lose({ line, place: 'type' }, `"${type}" is unknown, and the line has a message`);
    this.log.leave(typeof value.subtype === 'string' ? `${type}/${value.subtype}` : type);
  }

  /** What the program says about a sub-agent when it has ended. Its messages may be in a file of their own. */
  #noteAgentResult({ value, message }: SessionLine): void {
    const told = recordIn(value, 'toolUseResult');
    const id = textOf(told, 'agentId');
    if (id === null) return;
    const block = listIn(message, 'content').find((part) => isRecord(part) && part.type === 'tool_result');
    const call = isRecord(block) ? textOf(block, 'tool_use_id') : null;
    const known = this.log.agents.get(id);
    const name = known?.name ?? textOf(told, 'agentType', 'subagent_type') ?? this.#calledName(call);
    this.log.agents.set(id, {
      ...{ name, call: known?.call ?? call, id },
      ...{ tokens: amountOf(told.totalTokens), calls: amountOf(told.totalToolUseCount) },
    });
  }

  #calledName(call: string | null): string {
    const input = call === null ? undefined : this.log.conversation.argumentsOf(call);
    return textOf(input ?? {}, 'subagent_type') ?? 'sub-agent';
  }

  #keep(name: string, value: unknown): void {
    if (typeof value === 'string' && value !== '') this.#fields[name] = value;
  }
}

function isMessage({ type }: SessionLine): boolean {
  return type === 'user' || type === 'assistant';
}

/** What all lines of one answer have in common. */
function keyOf({ line, value, messageId, uuid }: SessionLine): string {
  return messageId ?? textOf(value, 'requestId') ?? uuid ?? `line ${line}`;
}

function figuresOf({ value, message }: SessionLine): AnswerFigures {
  const usage = isSynthetic(message.model) ? null : (usageSchema.safeParse(message.usage).data ?? null);
  return { usage, cost: amountOf(value.costUSD) };
}

function promptsOf({ type, value, message }: SessionLine): unknown[] {
  if (type === 'attachment') return [recordIn(value, 'attachment').prompt];
  return type === 'user' ? [textOfParts(message.content)] : [];
}

/** The sub-agent whose file this is. */
function agentOfFile(lines: readonly SessionLine[]): string | null {
  const messages = lines.filter(isMessage);
  if (messages.length === 0 || messages.some(({ value }) => value.isSidechain !== true)) return null;
  return textOf(messages[0]?.value ?? {}, 'agentId') ?? 'sub-agent';
}

/** What the program wrote in the name of the model. */
function isSynthetic(model: unknown): boolean {
  return typeof model === 'string' && model.startsWith('<');
}

function textOfParts(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts: unknown[] = Array.isArray(content) ? content : [];
  return parts.map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('\n');
}
