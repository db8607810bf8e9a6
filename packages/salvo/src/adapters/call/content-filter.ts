/** How providers name it: Azure, OpenAI, Alibaba. */
const CODES: ReadonlySet<string> = new Set([
  'content_filter',
  'content_policy_violation',
  'ResponsibleAIPolicyViolation',
  'moderation_blocked',
  'data_inspection_failed',
]);
/** In words: Anthropic, OpenAI's `invalid_prompt`, OpenRouter, which have no code of their own for it. */
const WORDS = /content (?:filter|management polic|polic)|violating our usage polic|input was flagged/i;
const STATUSES: ReadonlySet<number> = new Set([400, 403, 422]);

/** Whether a provider refused a request because of what is in it. The same request would be refused again. */
export function isContentFiltered(failure: { status: number; codes: readonly string[]; message: string }): boolean {
  if (!STATUSES.has(failure.status)) return false;
  return failure.codes.some((code) => CODES.has(code)) || WORDS.test(failure.message);
}
