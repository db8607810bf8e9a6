/** By the words of providers, of servers with their APIs, and of SDKs. */
const FINISH_REASONS: ReadonlyMap<string, string> = new Map([
  ...['end_turn', 'endTurn', 'stop_sequence', 'stopSequence', 'eos'].map((word) => [word, 'stop'] as const),
  ...['tool_use', 'toolUse', 'tool-calls', 'tool_call', 'function_call'].map((word) => [word, 'tool_calls'] as const),
  ...['max_tokens', 'maxTokens', 'max_output_tokens', 'model_context_window_exceeded'].map(
    (word) => [word, 'length'] as const,
  ),
  ...['content-filter', 'content_filtered', 'contentFiltered', 'safety'].map(
    (word) => [word, 'content_filter'] as const,
  ),
]);

/** Our word for why a turn ended. Where there is none, that of the provider or the SDK is kept. */
export function finishReason(word: string): string {
  return FINISH_REASONS.get(word) ?? word;
}
