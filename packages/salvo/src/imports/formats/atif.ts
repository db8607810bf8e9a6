import { isRecord } from '../../text/json/is-record.ts';
import { FormError } from '../../trace/forms/form-error.ts';
import { toolOutput } from '../../trace/forms/tool-output.ts';
import type { ImportedConversation, ImportFormat } from '../import-format.ts';
import { amountOf, fieldsWithout, listIn, recordIn, textOf } from './record-fields.ts';
import { timeOf } from './session/session-clock.ts';
import { SessionLog } from './session/session-log.ts';
import { knownUsage, usageOf } from './session/session-usage.ts';

type Fields = Record<string, unknown>;

/** Harbor's Agent Trajectory Interchange Format. */
export const atifFormat: ImportFormat = {
  name: 'atif',
  title: 'ATIF trajectories',
  unit: 'record',
  recognises: (value) => isRecord(value) && isVersion(value.schema_version) && Array.isArray(value.steps),
  *read(records) {
    for (const { value, line } of records) {
      if (!isRecord(value) || !Array.isArray(value.steps)) throw new FormError('steps:', 'expected a list of steps');
      const conversation = new Trajectory(value, line).read();
      if (conversation) yield conversation;
    }
  },
};

function isVersion(version: unknown): boolean {
  return typeof version === 'string' && version.startsWith('ATIF-');
}

const STEPS: ReadonlySet<string> = new Set(['steps', 'subagent_trajectories']);
const KNOWN: ReadonlySet<string> = new Set([
  ...[...STEPS, 'schema_version', 'session_id', 'trajectory_id', 'agent', 'final_metrics', 'notes', 'extra'],
  'continued_trajectory_ref',
]);

/** A sub-agent within a sub-agent, and so on. */
const DEEPEST = 20;

interface Speaker {
  name: string | null;
  model: string | null;
  /** Where its steps are. */
  place: string;
  /** The call that started it, and how many sub-agents it is below the first one. */
  call: string | null;
  depth: number;
}

class Trajectory {
  readonly #given: Fields;
  readonly #line: number;
  readonly #log = new SessionLog();
  readonly #usages: ReturnType<typeof usageOf>[] = [];
  readonly #costs: number[] = [];
  /** Trajectories of sub-agents that are in the document. */
  readonly #embedded = new Map<string, Fields>();

  constructor(given: Fields, line: number) {
    this.#given = given;
    this.#line = line;
  }

  read(): ImportedConversation | null {
    const given = this.#given;
    const agent = recordIn(given, 'agent');
    const name = textOf(agent, 'name');
    this.#embed(given);
    this.#readSteps(given, { name: null, model: textOf(agent, 'model_name'), place: 'steps', call: null, depth: 0 });
    for (const [id, left] of this.#embedded) this.#readSubAgent(id, left, { call: null, depth: 1 });
    const final = recordIn(given, 'final_metrics');
    const total = usageOf(final, {
      ...{ input: 'total_prompt_tokens', output: 'total_completion_tokens', read: 'total_cached_tokens' },
    });
    const read = this.#log.finish({
      line: this.#line,
      id: textOf(given, 'trajectory_id', 'session_id'),
      facts: {
        usage: total ?? knownUsage(this.#usages),
        cost_usd: amountOf(final.total_cost_usd) ?? sumOf(this.#costs),
        model: this.#log.conversation.model ?? textOf(agent, 'model_name'),
      },
      fields: { ...fieldsWithout(given, STEPS), ...(name === null ? {} : { agent_name: name }) },
    });
    return read && { ...read, aside: { ...read.aside, ...fieldsWithout(given, KNOWN) } };
  }

  #embed(trajectory: Fields): void {
    for (const each of listIn(trajectory, 'subagent_trajectories').filter(isRecord)) {
      const id = textOf(each, 'trajectory_id', 'session_id') ?? `sub-agent ${this.#embedded.size + 1}`;
      this.#embedded.set(id, each);
    }
  }

  #readSteps(trajectory: Fields, speaker: Speaker): void {
    for (const [index, step] of listIn(trajectory, 'steps').entries()) {
      const at = { line: this.#line, place: `${speaker.place}[${index}]` };
      if (isRecord(step)) this.#log.attempt(at, () => this.#readStep(step, speaker, at.place));
      else this.#log.lose(at, 'is no step');
    }
  }

  #readStep(step: Fields, speaker: Speaker, place: string): void {
    const { source, message } = step;
    const at = { line: this.#line, place: `${place}.message` };
    const time = timeOf(step.timestamp);
    const { clock } = this.#log;
    if (source === 'agent') this.#readAnswer(step, speaker, place);
    else if (source !== 'user' && source !== 'system') {
      this.#log.lose({ line: this.#line, place: `${place}.source` }, 'is neither system, user nor agent');
    } else {
      const isUser = source === 'user' && speaker.depth === 0;
      if (isUser) clock.asked(time);
      else clock.seen(time);
      this.#log.conversation.endAnswer();
      if (!this.#wasAsked(speaker.call, message)) this.#log.message(isUser ? 'user' : 'system', partsOf(message), at);
    }
    this.#readResults(step, speaker, place);
  }

  #readAnswer(step: Fields, speaker: Speaker, place: string): void {
    const { conversation, clock } = this.#log;
    conversation.assistant(() => {
      conversation.think(textOf(step, 'reasoning_content') ?? '');
      const said = step.message === '' ? null : partsOf(step.message);
      this.#log.say(said, { line: this.#line, place: `${place}.message` });
      for (const [index, call] of listIn(step, 'tool_calls').entries()) {
        const name = isRecord(call) ? textOf(call, 'function_name') : null;
        const at = { line: this.#line, place: `${place}.tool_calls[${index}]` };
        if (!isRecord(call) || name === null) this.#log.lose(at, 'has no function_name');
        else {
          // What `salvo export` writes if the model sent no JSON.
          const sent = textOf(recordIn(call, 'extra'), 'raw_arguments') ?? call.arguments;
          conversation.call({ id: textOf(call, 'tool_call_id'), name, arguments: sent });
        }
      }
    });
    conversation.by(textOf(step, 'model_name') ?? speaker.model);
    conversation.spokenBy(textOf(recordIn(step, 'extra'), 'agent') ?? speaker.name);
    const latency_seconds = clock.answered(timeOf(step.timestamp));
    // Steps that were copied from an earlier trajectory were counted there.
    const metrics = step.is_copied_context === true ? {} : recordIn(step, 'metrics');
    const usage = usageOf(metrics, { input: 'prompt_tokens', output: 'completion_tokens', read: 'cached_tokens' });
    const cost = amountOf(metrics.cost_usd);
    if (usage !== null) this.#usages.push(usage);
    if (cost !== null) this.#costs.push(cost);
    conversation.figures({ ...usage, cost_usd: cost, latency_seconds });
  }

  #readResults(step: Fields, speaker: Speaker, place: string): void {
    const { conversation, clock } = this.#log;
    for (const [index, result] of listIn(recordIn(step, 'observation'), 'results').entries()) {
      const at = { line: this.#line, place: `${place}.observation.results[${index}]` };
      if (!isRecord(result)) {
        this.#log.lose(at, 'is no result');
        continue;
      }
      const call = listIn(step, 'tool_calls')[index];
      const id = textOf(result, 'source_call_id') ?? (isRecord(call) ? textOf(call, 'tool_call_id') : null);
      this.#readReferences(result, { call: id, depth: speaker.depth + 1 });
      clock.returned(timeOf(step.timestamp));
      const { is_error } = recordIn(result, 'extra');
      const failed = is_error === true ? { is_error } : {};
      conversation.result({ id: id ?? place, ...toolOutput(partsOf(result.content)), ...failed });
    }
  }

  /** The work of a sub-agent is written down before its result. */
  #readReferences(result: Fields, from: Pick<Speaker, 'call' | 'depth'>): void {
    for (const reference of listIn(result, 'subagent_trajectory_ref').filter(isRecord)) {
      const id = textOf(reference, 'trajectory_id', 'session_id') ?? '';
      const trajectory = this.#embedded.get(id);
      if (trajectory) this.#readSubAgent(id, trajectory, from);
      else {
        const path = textOf(reference, 'trajectory_path');
        this.#log.agents.set(id, { name: 'sub-agent', call: from.call, id, ...(path === null ? {} : { path }) });
      }
    }
  }

  #readSubAgent(id: string, trajectory: Fields, { call, depth }: Pick<Speaker, 'call' | 'depth'>): void {
    this.#embedded.delete(id);
    const place = `subagent_trajectories[${id}].steps`;
    if (depth > DEEPEST) {
      this.#log.lose({ line: this.#line, place }, 'is too many sub-agents deep');
      return;
    }
    const agent = recordIn(trajectory, 'agent');
    const name = textOf(agent, 'name') ?? 'sub-agent';
    this.#log.agents.set(id, { name, call, id });
    this.#embed(trajectory);
    this.#readSteps(trajectory, { name, model: textOf(agent, 'model_name'), place, call, depth });
  }

  #wasAsked(call: string | null, message: unknown): boolean {
    if (call === null || typeof message !== 'string') return false;
    return Object.values(this.#log.conversation.argumentsOf(call) ?? {}).includes(message);
  }
}

/** Images of a trajectory are files beside it, or at an address. */
function partsOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.map((part) => {
    const path = isRecord(part) && part.type === 'image' ? textOf(recordIn(part, 'source'), 'path') : null;
    if (path === null || !isRecord(part)) return part;
    if (/^(?:https?|data):/i.test(path)) {
      return { type: 'image', source: { media_type: textOf(recordIn(part, 'source'), 'media_type'), url: path } };
    }
    return { type: 'text', text: `[image: ${path}]` };
  });
}

function sumOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0);
}
