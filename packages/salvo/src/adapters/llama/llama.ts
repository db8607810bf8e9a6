import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { errorMessage } from '../../text/errors/salvo-error.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import type { AdapterTurnResult, TurnRequest } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import type { AdapterFactory } from '../adapter-factory.ts';
import type { OptionsOf } from '../adapter-options-schema.ts';
import { withDeadline } from '../call/call-deadline.ts';
import { importOptionalPackage } from '../call/optional-package.ts';
import { type ResourcePool, resourcePool } from '../call/resource-pool.ts';
import { refuseFiles } from '../refused-files.ts';
import { llamaDecision } from './llama-decision.ts';
import { type LlamaEmbedder, llamaEmbedding } from './llama-embedding.ts';
import { llamaHistory } from './llama-history.ts';
import { asLlamaLibrary, type Llama, type LlamaLibrary, type LlamaModel, type LlamaSequence } from './llama-library.ts';
import { evaluatePrompt } from './llama-prompt.ts';
import { llamaPlan, llamaSampling, withInstruction } from './llama-request.ts';
import { llamaTurn } from './llama-response.ts';

const PACKAGE = 'node-llama-cpp';

interface LoadedFile {
  library: LlamaLibrary;
  llama: Llama;
  model: LlamaModel;
}

interface LoadedModel {
  library: LlamaLibrary;
  llama: Llama;
  sequences: ResourcePool<LlamaSequence>;
}

/**
 * A GGUF file, run in this process by node-llama-cpp. The model is loaded once for all trials. `max_concurrency` answers
 * (default: one) are generated at a time; other requests wait.
 */
export const createLlamaAdapter: AdapterFactory<'llama'> = (options, context) => {
  let loading: Promise<LoadedModel> | undefined;
  let embedding: Promise<LlamaEmbedder & { llama: Llama }> | undefined;
  const callee = `The model ${options.model_path}`;
  return {
    providerName: () => 'llama',
    contextTokens: options.context_size,
    async sendTurn(messages, tools, config) {
      refuseFiles('llama', messages);
      const { whileWaiting = (wait) => wait() } = config;
      if (config.embed) {
        embedding ??= loadEmbedder(options, context.root);
        const isLoading = embedding;
        const embedder = await whileWaiting(() => isLoading);
        const limit = { callee, timeoutSeconds: options.timeout_seconds, signal: config.signal };
        return await withDeadline(limit, (signal) =>
          orFailure(callee, () => llamaEmbedding(embedder, { messages, signal })),
        );
      }
      loading ??= load(options, context.root);
      const isLoaded = loading;
      const model = await whileWaiting(() => isLoaded);
      const sequence = await whileWaiting(() => model.sequences.take(config.signal));
      const deadline = { callee, timeoutSeconds: options.timeout_seconds, signal: config.signal };
      let started = false;
      try {
        return await withDeadline(deadline, async (signal) => {
          started = true;
          try {
            const request = { model, sequence, callee, messages, tools, config, signal };
            return await orFailure(callee, () => generate(request));
          } finally {
            // Only when the generation has really stopped, which may be long after the deadline.
            model.sequences.giveBack(sequence);
          }
        });
      } finally {
        if (!started) model.sequences.giveBack(sequence);
      }
    },
    async close() {
      const model = await loading?.catch(() => undefined);
      await model?.llama.dispose();
      const embedder = await embedding?.catch(() => undefined);
      await embedder?.llama.dispose();
      loading = undefined;
      embedding = undefined;
    },
  };
};

async function orFailure<T>(callee: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof AdapterError) throw cause;
    const reason = quoteOutput(errorMessage(cause));
    throw new AdapterError('bad_response', `${callee} failed: ${reason}`, { cause });
  }
}

async function load(options: OptionsOf<'llama'>, root: string): Promise<LoadedModel> {
  const { context_size, threads, max_concurrency: count = 1 } = options;
  return loadFile(options, root, async ({ library, llama, model }) => {
    const context = await model.createContext({
      contextSize: context_size,
      sequences: count,
      threads: threads ?? defaultThreads(llama),
    });
    return { library, llama, sequences: resourcePool(Array.from({ length: count }, () => context.getSequence())) };
  });
}

/** For embeddings. A model that only embeds has no other context. */
async function loadEmbedder(options: OptionsOf<'llama'>, root: string): Promise<LlamaEmbedder & { llama: Llama }> {
  return loadFile(options, root, async ({ llama, model }) => {
    const context = await model.createEmbeddingContext({ threads: options.threads ?? defaultThreads(llama) });
    return { llama, model, context };
  });
}

async function loadFile<T>(
  { model_path, gpu }: OptionsOf<'llama'>,
  root: string,
  use: (loaded: LoadedFile) => Promise<T>,
): Promise<T> {
  const modelPath = resolve(root, model_path);
  if (!existsSync(modelPath)) {
    throw new AdapterError(
      'missing_dependency',
      `The model file ${model_path} was not found; looked for ${modelPath}.`,
    );
  }
  const library = asLlamaLibrary(await importOptionalPackage({ name: PACKAGE, root, needed: [PACKAGE] }));
  try {
    const llama = await library.getLlama({
      gpu: gpu === false ? false : 'auto',
      build: 'never',
      progressLogs: false,
      logLevel: 'error',
    });
    return await use({ library, llama, model: await llama.loadModel({ modelPath }) });
  } catch (cause) {
    const reason = quoteOutput(errorMessage(cause));
    throw new AdapterError('missing_dependency', `The model ${model_path} could not be loaded: ${reason}`, { cause });
  }
}

/** More threads wait for the memory. More than there are free cores wait for each other, and take many times as long. */
const MOST_THREADS = 8;

function defaultThreads({ cpuMathCores }: Llama): number {
  return Math.max(1, Math.min(cpuMathCores, availableParallelism(), MOST_THREADS));
}

interface Generation extends TurnRequest {
  model: LoadedModel;
  sequence: LlamaSequence;
  signal: AbortSignal;
  callee: string;
}

async function generate(generation: Generation): Promise<AdapterTurnResult> {
  const { model, sequence, callee, messages, tools, config, signal } = generation;
  const plan = llamaPlan(tools, config);
  // Reusing the evaluated context would save time, but changes the last digits and so the answer to the same seed.
  await sequence.clearHistory();
  const before = { input: sequence.tokenMeter.usedInputTokens, output: sequence.tokenMeter.usedOutputTokens };
  const chat = new model.library.LlamaChat({ contextSequence: sequence });
  try {
    const { decision: questions } = config;
    if (questions) return await llamaDecision({ chat, sequence, messages, questions, signal, callee });
    const history = llamaHistory(plan.kind === 'forced' ? withInstruction(messages, plan.instruction) : messages);
    const functions = plan.kind === 'free' ? plan.functions : undefined;
    const room = await evaluatePrompt({ chat, sequence, history, functions, signal, callee });
    const response = await chat.generateResponse(history, {
      ...llamaSampling(config),
      // At the end of the context the answer is cut off. The library would go on without the beginning of the prompt.
      maxTokens: Math.min(config.maxTokens ?? room, room),
      contextShift: { size: 1 },
      signal,
      ...(plan.kind === 'forced'
        ? { grammar: await model.llama.createGrammarForJsonSchema(plan.schema) }
        : functions && { functions, documentFunctionParams: true }),
    });
    const usage = {
      input_tokens: sequence.tokenMeter.usedInputTokens - before.input,
      output_tokens: sequence.tokenMeter.usedOutputTokens - before.output,
    };
    return llamaTurn({ response, plan, tools, usage, request: config.conversation?.request ?? 0 });
  } finally {
    chat.dispose();
  }
}
