import { SHOWN_IMAGES } from '../../trace/files/media-type.ts';
import { urlOfFile } from '../../trace/files/message-file.ts';
import type { AssistantMessage, Message, MessageFile, Step, ToolResultMessage } from '../../trace/message.ts';
import { beginningOf, idOf, partsOf, type TrialToExport } from './exported-parts.ts';
import { factsOf, withFiles } from './lost-fields.ts';

/** Versions after it only add parts that are not written here, and older readers refuse a newer one. */
const VERSION = 'ATIF-v1.7';

type Content = string | { type: 'text' | 'image'; text?: string; source?: { media_type: string; path: string } }[];

interface AtifStep {
  step_id: number;
  timestamp?: string;
  source: 'system' | 'user' | 'agent';
  model_name?: string;
  message: Content;
  reasoning_content?: string;
  tool_calls?: { tool_call_id: string; function_name: string; arguments: object; extra?: object }[];
  observation?: { results: { source_call_id?: string; content: Content; extra?: object }[] };
  metrics?: object;
  extra?: object;
}

/** A trial in Harbor's Agent Trajectory Interchange Format. */
export function atifTrajectory(trial: TrialToExport): Record<string, unknown> {
  const { trace, tools } = trial;
  const steps = stepsIn(trial);
  const definitions = tools.map(({ name, description, parameters }) => {
    return { type: 'function', function: { name, description, parameters } };
  });
  const totals = {
    total_prompt_tokens: trace.input_tokens ?? undefined,
    total_completion_tokens: trace.output_tokens ?? undefined,
    total_cost_usd: trace.cost_usd ?? undefined,
    total_steps: steps.length,
  };
  return {
    schema_version: VERSION,
    session_id: trial.run_id,
    trajectory_id: idOf(trial, 16),
    agent: {
      ...{ name: trial.adapter, version: 'unknown', model_name: trace.model },
      ...(definitions.length === 0 ? {} : { tool_definitions: definitions }),
    },
    steps,
    final_metrics: totals,
    extra: factsOf(trial),
  };
}

function stepsIn(trial: TrialToExport): AtifStep[] {
  const { trace } = trial;
  const times = new Map(partsOf(trace).steps.map(({ answer, times: own }) => [answer, own]));
  const steps: AtifStep[] = [];
  const add = (step: Omit<AtifStep, 'step_id'>): void => {
    steps.push({ step_id: steps.length + 1, ...step });
  };
  for (const message of trace.messages) {
    if (message.role === 'system') add({ source: 'system', message: message.content });
    else if (message.role === 'user') add({ source: 'user', message: contentOf(message) });
    else if (message.role === 'tool_result') addResult(message, steps, add);
    else {
      const own = times.get(message);
      const isKnown = own !== undefined && own.unknown.length === 0 && beginningOf(trace) > 0;
      // A step is written down when its answer is there.
      const timestamp = isKnown ? new Date(beginningOf(trace) + own.end * 1000).toISOString() : undefined;
      add({ ...(timestamp === undefined ? {} : { timestamp }), ...agentStep(message) });
    }
  }
  // A trajectory has one step or more.
  if (steps.length === 0) add({ source: 'system', message: '' });
  const [first] = steps;
  if (first && first.source !== 'agent' && beginningOf(trace) > 0) first.timestamp = trace.timestamp;
  return steps;
}

function agentStep(message: AssistantMessage): Omit<AtifStep, 'step_id'> {
  const { reasoning, tool_calls, agent, step } = message;
  const metrics = {
    prompt_tokens: step?.input_tokens,
    completion_tokens: step?.output_tokens,
    cached_tokens: step?.cache_read_tokens,
    cost_usd: step?.cost_usd,
  };
  const calls = tool_calls.map(({ id, name, arguments: args, raw_arguments }) => ({
    ...{ tool_call_id: id, function_name: name, arguments: args },
    ...(raw_arguments === undefined ? {} : { extra: { raw_arguments } }),
  }));
  return {
    source: 'agent',
    ...(step?.model === undefined ? {} : { model_name: step.model }),
    message: contentOf(message),
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(Object.values(metrics).every((figure) => figure === undefined) ? {} : { metrics }),
    ...(agent === undefined ? {} : { extra: { agent } }),
  };
}

/** A result belongs to the step that made the call. Without one, it is a step of its own. */
function addResult(
  message: ToolResultMessage,
  steps: readonly AtifStep[],
  add: (step: Omit<AtifStep, 'step_id'>) => void,
): void {
  const { tool_call_id, name, is_error } = message;
  const last = steps.at(-1);
  const content = contentOf(message);
  if (last?.tool_calls?.some((call) => call.tool_call_id === tool_call_id)) {
    last.observation ??= { results: [] };
    last.observation.results.push({
      ...{ source_call_id: tool_call_id, content },
      ...(is_error ? { extra: { is_error } } : {}),
    });
    return;
  }
  const extra = { tool_call_id, name, ...(is_error ? { is_error } : {}) };
  add({ source: 'system', message: '', observation: { results: [{ content, extra }] } });
}

function contentOf(message: Exclude<Message, { role: 'system' }>): Content {
  const text = message.content ?? '';
  const images = imagesOf(message.files);
  if (images.length === 0) return text;
  return [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...images.map((file) => {
      return { type: 'image' as const, source: { media_type: file.media_type, path: urlOfFile(file) } };
    }),
  ];
}

function imagesOf(files: readonly MessageFile[] = []): MessageFile[] {
  return files.filter((file) => SHOWN_IMAGES.has(file.media_type) && urlOfFile(file) !== '');
}

export function carriedByAtif(messages: readonly Message[]): Message[] {
  return messages.map((message) => {
    if (message.role === 'system') return message;
    const files = imagesOf(message.files);
    if (message.role === 'user') return withFiles({ role: 'user', content: message.content }, files);
    if (message.role === 'tool_result') {
      const { refused: _, ...rest } = message;
      return withFiles(rest, files);
    }
    const { provider_state: _, step, ...rest } = message;
    return withFiles({ ...rest, ...(step === undefined ? {} : { step: carriedFigures(step) }) }, files);
  });
}

/** Tokens of the input without those of the output, or the other way, are not read. */
function carriedFigures({ model, input_tokens, output_tokens, cache_read_tokens, cost_usd }: Step): Step {
  const tokens = { input_tokens, output_tokens, ...(cache_read_tokens === undefined ? {} : { cache_read_tokens }) };
  return {
    ...(model === undefined ? {} : { model }),
    ...(input_tokens === undefined || output_tokens === undefined ? {} : tokens),
    ...(cost_usd === undefined ? {} : { cost_usd }),
  };
}
