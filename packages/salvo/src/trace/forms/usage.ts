import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import type { AssistantMessage, Step } from '../message.ts';

/** Tokens of one turn. The total of `input_tokens` includes what was read from or written to the provider's cache. */
export interface Usage {
  input_tokens: number;
  output_tokens: number;
  cache_read_tokens?: number;
  cache_write_tokens?: number;
}

const tokens = z.number().nonnegative().nullish();

const givenSchema = z.object({
  input_tokens: tokens,
  output_tokens: tokens,
  cache_read_tokens: tokens,
  cache_write_tokens: tokens,
  // OpenAI: chat completions, then Responses and decisions.
  prompt_tokens: tokens,
  completion_tokens: tokens,
  prompt_tokens_details: z.object({ cached_tokens: tokens }).nullish(),
  input_tokens_details: z.object({ cached_tokens: tokens, cache_write_tokens: tokens }).nullish(),
  // Anthropic, whose input does not include cached tokens.
  cache_read_input_tokens: tokens,
  cache_creation_input_tokens: tokens,
  // Bedrock, whose input does not include cached tokens, beside the names of the AI SDK.
  cacheReadInputTokens: tokens,
  cacheWriteInputTokens: tokens,
  // The AI SDK, from version 5 on and before.
  inputTokens: tokens,
  outputTokens: tokens,
  cachedInputTokens: tokens,
  promptTokens: tokens,
  completionTokens: tokens,
  inputTokenDetails: z.object({ cacheReadTokens: tokens, cacheWriteTokens: tokens }).nullish(),
  // Gemini, whose output does not include its thoughts.
  promptTokenCount: tokens,
  candidatesTokenCount: tokens,
  thoughtsTokenCount: tokens,
  cachedContentTokenCount: tokens,
  // Pydantic AI, before version 1.
  request_tokens: tokens,
  response_tokens: tokens,
  // LangChain.
  input_token_details: z.object({ cache_read: tokens, cache_creation: tokens }).nullish(),
});
type GivenUsage = z.infer<typeof givenSchema>;

/** Tokens as providers and SDKs write them. Null when input or output is missing. */
export const usageSchema = givenSchema.nullish().transform(usageOf);

/**
 * The same for a usage that has only figures, as most have. Undefined for any other, which the schema has to check.
 */
export function plainUsage(value: unknown): Usage | null | undefined {
  if (value === undefined || value === null) return null;
  return isRecord(value) && isPlain(value) ? usageOf(value) : undefined;
}

/** Whether all fields are figures, and those of details are objects of figures. */
function isPlain(value: Record<string, unknown>): value is GivenUsage {
  for (const name in value) {
    const figure = value[name];
    const isDetails = name.endsWith('etails');
    if (isDetails && isRecord(figure) ? !areFigures(figure) : figure !== null && (isDetails || !isFigure(figure)))
      return false;
  }
  return true;
}

function areFigures(details: Record<string, unknown>): boolean {
  for (const name in details) if (details[name] !== null && !isFigure(details[name])) return false;
  return true;
}

function isFigure(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function usageOf(given: GivenUsage | null | undefined): Usage | null {
  if (!given) return null;
  const input =
    given.input_tokens ??
    given.prompt_tokens ??
    given.inputTokens ??
    given.promptTokens ??
    given.promptTokenCount ??
    given.request_tokens;
  const output =
    given.output_tokens ??
    given.completion_tokens ??
    given.outputTokens ??
    given.completionTokens ??
    given.candidatesTokenCount ??
    given.response_tokens;
  if (input == null || output == null) return null;
  const cacheRead =
    given.cache_read_tokens ??
    given.cache_read_input_tokens ??
    given.cacheReadInputTokens ??
    given.prompt_tokens_details?.cached_tokens ??
    given.input_tokens_details?.cached_tokens ??
    given.inputTokenDetails?.cacheReadTokens ??
    given.cachedInputTokens ??
    given.cachedContentTokenCount ??
    given.input_token_details?.cache_read;
  const cacheWrite =
    given.cache_write_tokens ??
    given.cache_creation_input_tokens ??
    given.cacheWriteInputTokens ??
    given.input_tokens_details?.cache_write_tokens ??
    given.inputTokenDetails?.cacheWriteTokens ??
    given.input_token_details?.cache_creation;
  return {
    input_tokens:
      input +
      (given.cache_read_input_tokens ?? given.cacheReadInputTokens ?? 0) +
      (given.cache_creation_input_tokens ?? given.cacheWriteInputTokens ?? 0),
    output_tokens: output + (given.thoughtsTokenCount ?? 0),
    ...(cacheRead ? { cache_read_tokens: cacheRead } : {}),
    ...(cacheWrite ? { cache_write_tokens: cacheWrite } : {}),
  };
}

/** Null if one of them is unknown, or if there are none. */
export function sumUsage(usages: readonly (Usage | null)[]): Usage | null {
  if (usages.length === 0) return null;
  const known = usages.filter((usage) => usage !== null);
  if (known.length < usages.length) return null;
  const sum = (of: (usage: Usage) => number | undefined) => known.reduce((total, usage) => total + (of(usage) ?? 0), 0);
  const cacheRead = sum((usage) => usage.cache_read_tokens);
  const cacheWrite = sum((usage) => usage.cache_write_tokens);
  return {
    input_tokens: sum((usage) => usage.input_tokens),
    output_tokens: sum((usage) => usage.output_tokens),
    ...(cacheRead > 0 ? { cache_read_tokens: cacheRead } : {}),
    ...(cacheWrite > 0 ? { cache_write_tokens: cacheWrite } : {}),
  };
}

/** What is known about one step of a model. Null and missing mean unknown. */
export type StepFigures = { [Name in keyof Step]?: Step[Name] | null };

/** Adds to an answer what its step took, as far as it is known. */
export function addFigures(answer: AssistantMessage, figures: StepFigures): void {
  const known = Object.entries(figures).filter(([, value]) => value !== null && value !== undefined);
  if (known.length > 0) answer.step = { ...answer.step, ...Object.fromEntries(known) };
}
