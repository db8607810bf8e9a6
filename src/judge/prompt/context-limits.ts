/** The most characters of each. What is longer is cut from the middle out. */
export interface ContextLimits {
  response: number;
  /** One message of the user or of the conversation. */
  message: number;
  /** The arguments of one tool call. */
  arguments: number;
  /** The result of one tool call. */
  result: number;
  systemPrompt: number;
  /** All sections together, but for titles. */
  total: number;
}

export const DEFAULT_LIMITS: ContextLimits = {
  response: 16_000,
  message: 8_000,
  arguments: 2_000,
  result: 4_000,
  systemPrompt: 4_000,
  total: 60_000,
};
