import { isRecord } from '../../../text/json/is-record.ts';
import { listIn, recordIn, textOf } from '../record-fields.ts';
import type { SessionLine } from './session-line.ts';

/** A call that started a sub-agent. */
interface AgentCall {
  id: string;
  name: string;
  prompt: string | null;
}

interface SubAgent {
  /** Tells it from the others of its session. */
  key: string;
  name: string;
  call: string | null;
  /** Whether a text is what it was asked to do, which the call says as well. */
  wasAsked(text: unknown): boolean;
}

/** Finds out which sub-agent a line belongs to, and which call started it. Versions differ in what their lines say. */
export class SubAgents {
  readonly #calls = new Map<string, AgentCall>();
  readonly #callByPrompt = new Map<string, AgentCall>();
  readonly #callByAgent = new Map<string, string>();
  readonly #keys = new Map<string, string>();
  readonly #known = new Map<string, SubAgent>();

  constructor(lines: readonly SessionLine[]) {
    for (const line of lines) {
      for (const block of listIn(line.message, 'content')) if (isRecord(block)) this.#note(block, line);
    }
  }

  of(line: SessionLine): SubAgent | null {
    if (line.agent === null) return null;
    const { parent } = line;
    const key = line.agent || (parent !== null && this.#keys.get(parent)) || (line.uuid ?? 'sub-agent');
    if (line.uuid !== null) this.#keys.set(line.uuid, key);
    const known = this.#known.get(key) ?? this.#agent(key, line);
    this.#known.set(key, known);
    return known;
  }

  #note(block: Record<string, unknown>, { value }: SessionLine): void {
    const input = recordIn(block, 'input');
    const prompt = textOf(input, 'prompt');
    if (block.type === 'tool_use' && typeof block.id === 'string' && prompt !== null) {
      const call = { id: block.id, name: textOf(input, 'subagent_type') ?? 'sub-agent', prompt };
      this.#calls.set(call.id, call);
      this.#callByPrompt.set(prompt, call);
    }
    const agent = textOf(recordIn(value, 'toolUseResult'), 'agentId');
    if (block.type === 'tool_result' && agent !== null && typeof block.tool_use_id === 'string') {
      this.#callByAgent.set(agent, block.tool_use_id);
    }
  }

  #agent(key: string, { value, message, agentCall }: SessionLine): SubAgent {
    const id = agentCall ?? this.#callByAgent.get(key);
    const call =
      (id === undefined ? undefined : this.#calls.get(id)) ?? this.#callByPrompt.get(textIn(message.content));
    const name = textOf(value, 'subagent_type') ?? call?.name ?? textOf(value, 'agentId') ?? 'sub-agent';
    return {
      key,
      name,
      call: id ?? call?.id ?? null,
      wasAsked: (content) => call !== undefined && call.prompt === textIn(content),
    };
  }
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  const [part] = Array.isArray(content) ? content : [];
  return isRecord(part) && typeof part.text === 'string' ? part.text : '';
}
