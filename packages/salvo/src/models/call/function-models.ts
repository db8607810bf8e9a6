import type { ToolDefinition } from '../../adapters/adapter.ts';
import { AdapterError } from '../../adapters/adapter-error.ts';
import type { DecisionQuestion } from '../../adapters/decision-question.ts';
import type { Message } from '../../trace/message.ts';
import type { ModelCaller } from './model-caller.ts';

export interface ModelFunctionRequest {
  messages: Message[];
  /** The tools that the model is asked to call. */
  tools: ToolDefinition[];
  /** Of a judge with `mode: 'decide'`: what is to be answered with probabilities, by the tool `decide`. */
  questions?: readonly DecisionQuestion[] | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * A model as a plain function. It answers with text, or with an object that counts as the arguments of the tool call
 * that it was asked for.
 */
export type ModelFunction = (
  request: ModelFunctionRequest,
) => string | Record<string, unknown> | Promise<string | Record<string, unknown>>;

/** The adapter name of models that are functions; `model` says which one. */
export const FUNCTION_ADAPTER = 'function';

/** A caller that asks functions by the name of their model, and `others` for every other adapter. */
export function withFunctionModels(functions: ReadonlyMap<string, ModelFunction>, others: ModelCaller): ModelCaller {
  return {
    asksBudget: others.asksBudget,
    providerName: (adapter) => (adapter === FUNCTION_ADAPTER ? FUNCTION_ADAPTER : others.providerName(adapter)),
    identity: (adapter) => (adapter === FUNCTION_ADAPTER ? FUNCTION_ADAPTER : others.identity(adapter)),
    // The code of a function may change between two runs, so its answers are never cached.
    fingerprint: (adapter) => (adapter === FUNCTION_ADAPTER ? null : others.fingerprint(adapter)),
    contextTokens: async (adapter, model) =>
      adapter === FUNCTION_ADAPTER ? null : ((await others.contextTokens?.(adapter, model)) ?? null),
    async call(call) {
      if (call.adapter !== FUNCTION_ADAPTER) return others.call(call);
      const { messages, tools, config } = call;
      const ask = functions.get(config.model);
      if (!ask) throw new AdapterError('bad_request', `There is no function "${config.model}" to ask.`);
      config.signal?.throwIfAborted();
      // The function may call a paid model, so the cost is unknown.
      const paid = { kind: FUNCTION_ADAPTER, place: 0, estimateUsd: null, mostUsd: null };
      const admitted = await call.budget?.admit(async () => paid, config.signal);
      const started = performance.now();
      const answering = (async () =>
        await ask({ messages, tools, questions: config.decision, signal: config.signal }))();
      const answer = await answering.finally(() =>
        admitted?.paid(null, `what "${config.model}" costs is unknown, because it is a function`),
      );
      const [tool] = tools;
      const isText = typeof answer === 'string' || tool === undefined;
      return {
        result: {
          content: typeof answer === 'string' ? answer : isText ? JSON.stringify(answer) : null,
          tool_calls: isText ? [] : [{ id: 'call_1', name: tool.name, arguments: { ...answer } }],
          usage: null,
          finish_reason: isText ? 'stop' : 'tool_calls',
          raw_response: null,
        },
        costUsd: null,
        latencySeconds: (performance.now() - started) / 1000,
        requests: 1,
      };
    },
    close: () => others.close(),
  };
}
