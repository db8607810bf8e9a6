import { isRecord } from '../../../text/json/is-record.ts';
import { isResponsesItem, readResponsesItem } from '../../../trace/forms/responses-items.ts';
import type { Usage } from '../../../trace/forms/usage.ts';
import type { ImportedConversation } from '../../import-format.ts';
import { amountOf, listIn, recordIn, textOf } from '../record-fields.ts';
import { timeOf } from '../session/session-clock.ts';
import { SessionLog } from '../session/session-log.ts';
import { RunningTotal, type UsageNames, usageOf } from '../session/session-usage.ts';
import { hasReasoning, type ItemKinds, itemKinds, readEvent } from './codex-events.ts';
import { codexOutput } from './codex-output.ts';
import { itemOfEvent } from './completed-item.ts';
import { rolledBackLines } from './rolled-back-lines.ts';
import type { RolloutLine } from './rollout-line.ts';
import { addedItems, isAddedPart, isWhollyAdded } from './user-items.ts';

const TOKENS: UsageNames = {
  ...{ input: 'input_tokens', output: 'output_tokens' },
  ...{ read: 'cached_input_tokens', write: 'cache_write_input_tokens' },
};

/** The conversation of one rollout file. */
export class CodexSession {
  readonly log = new SessionLog();
  readonly #total = new RunningTotal();
  readonly #fields: Record<string, unknown> = {};
  #has: ItemKinds = { user: false, assistant: false, reasoning: false, calls: false };
  #added: ReadonlySet<RolloutLine> = new Set();
  #inherited: Usage | null = null;
  #line = 1;
  #id: string | null = null;
  #model: string | null = null;
  #agent: string | null = null;
  #error: string | null = null;
  #isAnswered = false;

  read(lines: readonly RolloutLine[]): void {
    this.#line = lines[0]?.line ?? 1;
    this.#has = itemKinds(lines);
    this.#added = addedItems(lines);
    const left = rolledBackLines(lines, (line) => this.#isWritten(line));
    if (left.turns > 0) this.#fields.abandoned_turns = left.turns;
    const inherited = inheritedLines(lines);
    for (const line of lines) {
      if (inherited.has(line)) this.#leaveInherited(line);
      else if (left.lines.has(line)) this.log.leave(`abandoned ${line.type}`);
      else this.log.attempt({ line: line.line, place: 'payload' }, () => this.#readLine(line));
    }
  }

  finish(): ImportedConversation | null {
    return this.log.finish({
      line: this.#line,
      id: this.#id,
      facts: { model: this.#model, usage: usageSince(this.#total.usage, this.#inherited), error: this.#error },
      fields: this.#fields,
    });
  }

  /** The conversation of the agent that started a sub-agent is in a file of its own, and so are its tokens. */
  #leaveInherited({ type, payload }: RolloutLine): void {
    if (type === 'turn_context') this.#readContext(payload);
    if (type === 'event_msg' && payload.type === 'token_count') this.#inherited = totalOf(payload) ?? this.#inherited;
    this.log.leave(`inherited ${type}`);
  }

  #readLine(line: RolloutLine): void {
    const { type, payload } = line;
    if (type === 'session_meta') this.#readMeta(line);
    else if (type === 'turn_context') this.#readContext(payload);
    else if (type === 'response_item') this.#readItem(line);
    else if (type === 'event_msg') this.#readEvent(line);
    else if (type === 'compacted') this.#readCompaction(payload);
    else this.log.leave(type);
  }

  /** A continued session has those of the sessions before it as well. The first one is its own. */
  #readMeta({ payload, time }: RolloutLine): void {
    this.log.clock.seen(timeOf(payload.timestamp ?? time));
    if (this.#id !== null) {
      this.log.leave('session_meta of an earlier session');
      return;
    }
    this.#id = textOf(payload, 'id', 'session_id');
    for (const name of ['cwd', 'cli_version', 'originator', 'model_provider', 'forked_from_id', 'git']) {
      if (payload[name] !== undefined && payload[name] !== null) this.#fields[name] = payload[name];
    }
    this.#model ??= textOf(payload, 'model');
    this.#readParent(payload);
    const instructions = textOf(recordIn(payload, 'base_instructions'), 'text') ?? textOf(payload, 'base_instructions');
    if (instructions !== null) this.log.conversation.text('system', instructions);
  }

  /** Sub-agents have files of their own, which name the session that started them. */
  #readParent({ source, parent_thread_id, agent_nickname, agent_role }: Record<string, unknown>): void {
    const subagent = isRecord(source) ? source.subagent : (parent_thread_id ?? undefined);
    if (subagent === undefined) return;
    const spawn = isRecord(subagent) ? recordIn(subagent, 'thread_spawn') : {};
    const given = { nickname: agent_nickname, role: agent_role, kind: isRecord(source) ? subagent : null };
    this.#agent =
      textOf(spawn, 'agent_nickname', 'agent_role') ?? textOf(given, 'nickname', 'role', 'kind') ?? 'sub-agent';
    this.#fields.agent = this.#agent;
    const parent = textOf(spawn, 'parent_thread_id') ?? textOf({ parent_thread_id }, 'parent_thread_id');
    if (parent !== null) this.#fields.parent = parent;
  }

  #readContext(context: Record<string, unknown>): void {
    this.#model = textOf(context, 'model') ?? this.#model;
    this.log.leave('turn_context');
  }

  #readItem(item: RolloutLine): void {
    const { line, payload, time } = item;
    const { conversation, clock } = this.log;
    const type = textOf(payload, 'type') ?? '';
    const at = timeOf(time);
    if (type === 'message' && payload.role !== 'assistant') this.#readMessage(item);
    else if (type.endsWith('_output') && 'output' in payload) {
      clock.returned(at);
      const id = textOf(payload, 'call_id', 'id');
      conversation.result({ id, ...codexOutput(payload.output) });
    } else if (type === 'reasoning' && !hasReasoning(payload)) this.log.leave('response_item/encrypted reasoning');
    else if (isResponsesItem(payload) || type === 'compaction_summary') {
      readResponsesItem(type === 'compaction_summary' ? { type: 'compaction' } : payload, conversation, 'payload');
      this.#attribute(clock.answered(at));
    } else if (type === 'agent_message') this.#readAgentMessage(item);
    else if (typeof payload.role === 'string' || 'call_id' in payload) {
      this.log.lose({ line, place: 'payload.type' }, `"${type}" is unknown`);
    } else this.log.leave(`response_item/${type}`);
  }

  /** What Codex adds may be beside what the user wrote, in the same message. */
  #readMessage(item: RolloutLine): void {
    const { line, payload, time } = item;
    const place = 'payload.content';
    this.log.conversation.endAnswer();
    if (!this.#isWritten(item)) {
      this.log.message('system', payload.content, { line, place });
      return;
    }
    this.log.clock.asked(timeOf(time));
    const parts = listIn(payload, 'content');
    const added = parts.filter(isAddedPart);
    if (added.length > 0) this.log.message('system', added, { line, place });
    const written = added.length > 0 ? parts.filter((part) => !isAddedPart(part)) : payload.content;
    this.log.message('user', written, { line, place });
  }

  #isWritten(item: RolloutLine): boolean {
    const { type, payload } = item;
    if (type !== 'response_item' || payload.type !== 'message' || payload.role !== 'user') return false;
    return !this.#added.has(item) && !isWhollyAdded(payload);
  }

  /** Agents of one session write to each other. A part of what they write may be encrypted. */
  #readAgentMessage({ line, payload, time }: RolloutLine): void {
    this.log.clock.seen(timeOf(time));
    this.log.conversation.endAnswer();
    const parts = listIn(payload, 'content').filter((part) => isRecord(part) && textOf(part, 'text') !== null);
    if (parts.length === 0) this.log.leave('response_item/encrypted agent_message');
    else this.log.message('system', parts, { line, place: 'payload.content' });
  }

  #attribute(latency_seconds: number | null): void {
    this.#error = null;
    this.#isAnswered = true;
    this.log.conversation.by(this.#model);
    this.log.conversation.figures({ latency_seconds });
    this.log.conversation.spokenBy(this.#agent);
  }

  #readEvent({ payload, time }: RolloutLine): void {
    const type = textOf(payload, 'type') ?? '';
    const { clock } = this.log;
    if (type === 'token_count') this.#readTokens(payload);
    else if (type === 'error' || type === 'turn_aborted') {
      const reason = textOf(payload, 'message', 'reason');
      this.#error = type === 'error' ? (reason ?? 'error') : `the turn was aborted${reason ? `: ${reason}` : ''}`;
      this.log.leave(`event_msg/${type}`);
    } else if (readEvent(payload, this.log, this.#has)) {
      if (type === 'user_message' || itemOfEvent(payload)?.type === 'user_message') clock.asked(timeOf(time));
      else if (type.endsWith('_end')) clock.returned(timeOf(time));
      else this.#attribute(clock.answered(timeOf(time)));
    } else this.log.leave(`event_msg/${type}`);
  }

  /** Comes after each answer of the model, and after the results of its calls. */
  #readTokens(payload: Record<string, unknown>): void {
    const info = isRecord(payload.info) ? payload.info : payload;
    this.#total.report(totalOf(payload));
    const last = usageOf(recordIn(info, 'last_token_usage'), TOKENS);
    if (last === null || !this.#isAnswered) return;
    this.log.conversation.figures(last);
    this.log.conversation.endAnswer();
  }

  /** The messages that a compaction keeps were written before it. */
  #readCompaction(payload: Record<string, unknown>): void {
    this.#fields.compactions = (amountOf(this.#fields.compactions) ?? 0) + 1;
    const summary = textOf(payload, 'message');
    this.log.conversation.endAnswer();
    if (summary !== null) this.log.conversation.text('system', summary);
  }
}

function totalOf(payload: Record<string, unknown>): Usage | null {
  const info = isRecord(payload.info) ? payload.info : payload;
  return usageOf(isRecord(info.total_token_usage) ? info.total_token_usage : info, TOKENS);
}

/**
 * The lines that a sub-agent got from the agent that started it. Its first line says where its own begin. Files that Codex wrote
 * anew have the figure as well, but not the first line of the other session.
 */
function inheritedLines(lines: readonly RolloutLine[]): ReadonlySet<RolloutLine> {
  const [first] = lines;
  const start = first?.type === 'session_meta' ? amountOf(first.payload.subagent_history_start_ordinal) : null;
  if (start === null) return new Set();
  const before = lines.filter((line) => line !== first && line.ordinal !== null && line.ordinal < start);
  return new Set(before.some(({ type }) => type === 'session_meta') ? before : []);
}

/** What was used after a total was reported; all of it, if the figures began anew since. */
function usageSince(usage: Usage | null, before: Usage | null): Usage | null {
  if (usage === null || before === null) return usage;
  const rest = {
    input_tokens: usage.input_tokens - before.input_tokens,
    output_tokens: usage.output_tokens - before.output_tokens,
  };
  if (rest.input_tokens < 0 || rest.output_tokens < 0) return usage;
  const read = (usage.cache_read_tokens ?? 0) - (before.cache_read_tokens ?? 0);
  const write = (usage.cache_write_tokens ?? 0) - (before.cache_write_tokens ?? 0);
  return {
    ...rest,
    ...(read > 0 ? { cache_read_tokens: read } : {}),
    ...(write > 0 ? { cache_write_tokens: write } : {}),
  };
}
