import { AdapterError } from '../adapter-error.ts';
import type { LlamaHistoryItem } from './llama-history.ts';
import type { LlamaChat, LlamaSequence, LlamaToken } from './llama-library.ts';

/** An evaluation cannot be stopped in the middle, so this is how much is evaluated after the time is up. */
const TOKENS_AT_ONCE = 128;

interface LlamaPrompt {
  chat: LlamaChat;
  sequence: LlamaSequence;
  history: LlamaHistoryItem[];
  functions: Record<string, unknown> | undefined;
  signal: AbortSignal;
  /** The model, as the start of a sentence. */
  callee: string;
}

/**
 * Evaluates a prompt piece by piece, because node-llama-cpp does not look at the signal before the first token of the
 * answer. Returns how many tokens are left for the answer. A prompt that does not fit is an error: the library would
 * leave out a part of it.
 */
export async function evaluatePrompt(prompt: LlamaPrompt): Promise<number> {
  const tokens = promptTokens(prompt);
  // Without the last token: its evaluation gives the first token of the answer.
  await evaluateTokens(prompt, tokens.slice(0, -1), 0);
  return roomAfter(prompt, tokens.length);
}

/** Evaluates tokens piece by piece; the first `done` of them are evaluated already. */
export async function evaluateTokens(
  { sequence, signal }: Pick<LlamaPrompt, 'sequence' | 'signal'>,
  tokens: readonly LlamaToken[],
  done: number,
): Promise<void> {
  for (let from = done; from < tokens.length; from += TOKENS_AT_ONCE) {
    signal.throwIfAborted();
    await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(from, from + TOKENS_AT_ONCE));
  }
  signal.throwIfAborted();
}

/** The whole conversation in the format of the model, tools included. Throws if it does not fit in the context. */
export function promptTokens(prompt: LlamaPrompt): readonly LlamaToken[] {
  const { chat, sequence, history, functions } = prompt;
  const state = { chatHistory: history, availableFunctions: functions, documentFunctionParams: true };
  const tokens = chat.chatWrapper.generateContextState(state).contextText.tokenize(sequence.model.tokenizer);
  if (roomAfter(prompt, tokens.length) < 1) throw tooLong(prompt, tokens.length);
  return tokens;
}

function roomAfter({ sequence }: LlamaPrompt, tokens: number): number {
  return sequence.context.contextSize - tokens - 1;
}

function tooLong({ sequence, callee }: LlamaPrompt, needed: number): AdapterError {
  const size = sequence.context.contextSize;
  return new AdapterError(
    'context_length',
    `${callee} cannot read a prompt of ${needed} tokens: its context has ${size}, and the answer needs some of them. Raise context_size of the adapter in salvo.yaml, or shorten the prompt.`,
  );
}
