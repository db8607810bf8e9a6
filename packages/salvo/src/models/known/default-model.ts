/**
 * The model of judges and simulated users for which nothing else is said. OpenAI shuts it down on 2027-01-14: see
 * `model-ends.json`, which names a successor.
 */
export const DEFAULT_MODEL = 'gpt-4o-mini';

/** The tokens of an answer for which nothing else is said. */
const ANSWER_TOKENS = 1024;
/** Reasoning counts towards the limit, and comes before the answer. */
const REASONED_ANSWER_TOKENS = 8192;

/** Names of models that reason unless they are told not to. */
const REASONING = [
  /(?:^|[/:])o[1-9](?:$|-)/,
  /(?:^|[/:])gpt-(?:[5-9]|oss)/,
  /gemini-(?:2\.5|[3-9])/,
  /(?:^|[/-])r1(?:$|[:-])/,
  /qwq|magistral|reasoner|reasoning|thinking/,
];

/** How many tokens an answer of a model may have, if nothing else is said. */
export function defaultMaxTokens(model: string): number {
  const name = model.toLowerCase();
  const reasons = !name.includes('-chat') && REASONING.some((pattern) => pattern.test(name));
  return reasons ? REASONED_ANSWER_TOKENS : ANSWER_TOKENS;
}
