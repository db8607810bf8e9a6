/** The words of providers and SDKs for why a turn ended. */
const FINISH_REASONS = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool_calls'],
  ['tool-calls', 'tool_calls'],
  ['tool_call', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['max_tokens', 'length'],
  ['max_output_tokens', 'length'],
  ['content-filter', 'content_filter'],
  ['safety', 'content_filter'],
]);

/** Our word for it, or the provider's own where there is none. */
export function finishReason(given: string): string {
  return FINISH_REASONS.get(given) ?? given;
}
