import { z } from 'zod';
import { isFunction } from '../../text/json/is-record.ts';
import { AdapterError } from '../adapter-error.ts';
import type { LlamaHistoryItem } from './llama-history.ts';

/** What we use of node-llama-cpp 3. It is too large to install just for its types. */
export interface LlamaLibrary {
  getLlama(options: Record<string, unknown>): Promise<Llama>;
  LlamaChat: new (options: { contextSequence: LlamaSequence }) => LlamaChat;
}

export interface Llama {
  loadModel(options: { modelPath: string }): Promise<LlamaModel>;
  createGrammarForJsonSchema(schema: Record<string, unknown>): Promise<unknown>;
  dispose(): Promise<void>;
  /** The cores that are useful for calculations. Efficiency cores and hyper-threads are not. */
  readonly cpuMathCores: number;
}

/** A context that only embeds. */
export interface LlamaEmbeddingContext {
  getEmbeddingFor(text: string): Promise<{ readonly vector: readonly number[] }>;
  dispose(): Promise<void>;
}

export interface LlamaModel {
  createEmbeddingContext(options: { threads?: number | undefined }): Promise<LlamaEmbeddingContext>;
  tokenize(text: string): readonly LlamaToken[];
  createContext(options: {
    contextSize?: number | undefined;
    sequences: number;
    threads?: number | undefined;
  }): Promise<LlamaContext>;
}

interface LlamaContext {
  getSequence(): LlamaSequence;
}

/** A token of the model's vocabulary. Opaque. */
export type LlamaToken = number;

/** The part of the context that one conversation uses. */
export interface LlamaSequence {
  readonly tokenMeter: { readonly usedInputTokens: number; readonly usedOutputTokens: number };
  readonly context: { readonly contextSize: number };
  readonly model: {
    readonly tokenizer: unknown;
    tokenize(text: string, specialTokens: boolean, options: 'trimLeadingSpace'): readonly LlamaToken[];
  };
  /** How many tokens of the context are evaluated. */
  readonly nextTokenIndex: number;
  clearHistory(): Promise<void>;
  evaluateWithoutGeneratingNewTokens(tokens: readonly LlamaToken[]): Promise<void>;
  /** Keeps of the context what these tokens begin with. */
  adaptStateToTokens(tokens: readonly LlamaToken[], allowShift: boolean): Promise<void>;
  controlledEvaluate(
    input: readonly [token: LlamaToken, options: { generateNext: { probabilities: boolean } }][],
  ): Promise<({ next?: { probabilities?: unknown } } | undefined)[]>;
}

export interface LlamaChat {
  readonly chatWrapper: {
    generateContextState(state: {
      chatHistory: LlamaHistoryItem[];
      availableFunctions: Record<string, unknown> | undefined;
      documentFunctionParams: boolean;
    }): { contextText: { tokenize(tokenizer: unknown): readonly LlamaToken[] } };
  };
  generateResponse(history: LlamaHistoryItem[], options: Record<string, unknown>): Promise<LlamaResponse>;
  dispose(): void;
}

export interface LlamaResponse {
  response: string;
  functionCalls?: { functionName: string; params: unknown; raw?: unknown }[] | undefined;
  metadata: { stopReason: string };
}

const librarySchema = z.object({
  getLlama: z.custom<LlamaLibrary['getLlama']>(isFunction),
  LlamaChat: z.custom<LlamaLibrary['LlamaChat']>(isFunction),
});

/** The parts of the imported package that we use. */
export function asLlamaLibrary(exports: Record<string, unknown>): LlamaLibrary {
  const library = librarySchema.safeParse(exports);
  if (library.success) return library.data;
  const message = 'The installed version of node-llama-cpp is too old. Run: npm install node-llama-cpp@3';
  throw new AdapterError('missing_dependency', message);
}
