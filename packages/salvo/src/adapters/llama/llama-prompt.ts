import { AdapterError } from '../adapter-error.ts';
import type { LlamaHistoryItem } from './llama-history.ts';
import type { LlamaChat, LlamaSequence } from './llama-library.ts';

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
  const { sequence, signal } = prompt;
  const tokens = promptTokens(prompt);
  const room = sequence.context.contextSize - tokens.length - 1;
  if (room < 1) throw tooLong(prompt, tokens.length);
  // Without the last token: its evaluation gives the first token of the answer.
  for (let from = 0; from < tokens.length - 1; from += TOKENS_AT_ONCE) {
    signal.throwIfAborted();
    const piece = tokens.slice(from, Math.min(from + TOKENS_AT_ONCE, tokens.length - 1));
    await sequence.evaluateWithoutGeneratingNewTokens(piece);
  }
  signal.throwIfAborted();
  return room;
}

/** The whole conversation in the format of the model, tools included. */
function promptTokens({ chat, sequence, history, functions }: LlamaPrompt): readonly unknown[] {
  const state = { chatHistory: history, availableFunctions: functions, documentFunctionParams: true };
  return chat.chatWrapper.generateContextState(state).contextText.tokenize(sequence.model.tokenizer);
}

function tooLong({ sequence, callee }: LlamaPrompt, needed: number): AdapterError {
  const size = sequence.context.contextSize;
  return new AdapterError(
    'context_length',
    `${callee} cannot read a prompt of ${needed} tokens: its context has ${size}, and the answer needs some of them. Raise context_size of the adapter in salvo.yaml, or shorten the prompt.`,
  );
}
