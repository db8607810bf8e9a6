import type { ModelCaller, VoteCache } from 'salvo/kit/models';
import { JudgeError } from '../claims/judge-error.ts';

/** A model to ask, by the name of its adapter as in a scenario. */
export interface ModelChoice {
  adapter: string;
  model: string;
}

interface LlmSettings {
  /** Votes of each model on each pair. */
  k?: number | undefined;
  /** The scores that are unclear, from the first to below the second. */
  band?: readonly [low: number, high: number] | undefined;
  /** The most pairs to ask about in one game; the rest stay as they are. */
  maxPairs?: number | undefined;
  temperature?: number | undefined;
  maxTokens?: number | undefined;
  /** Calls the models; by default with the built-in adapters and the keys of the environment. */
  caller?: ModelCaller | undefined;
  /** Cached votes. */
  cache?: VoteCache | null | undefined;
}

/** What decides unclear pairs: one model, or several by consensus. */
export type LlmOptions = (ModelChoice | { models: readonly ModelChoice[] }) & LlmSettings;

export type Llm = ReturnType<typeof resolveLlm>;

/** A pair this far below the match threshold may be the same flaw in other words. */
const UNCLEAR_BELOW = 0.15;
const MOST_VOTES = 99;

/** The options with their defaults; throws a `JudgeError` when they make no sense. */
export function resolveLlm(
  options: LlmOptions,
  { matchThreshold, exactThreshold }: { matchThreshold: number; exactThreshold: number },
) {
  const { k = 3, maxPairs = 200, temperature = 0, maxTokens = 1024, caller = null, cache = null } = options;
  const models = 'models' in options ? options.models : [{ adapter: options.adapter, model: options.model }];
  checkModels(models);
  if (!(Number.isInteger(k) && k >= 1 && k <= MOST_VOTES)) {
    throw badOption(`k must be a whole number from 1 to ${MOST_VOTES}, got ${String(k)}`);
  }
  if (!(Number.isInteger(maxPairs) && maxPairs >= 0)) {
    throw badOption(`maxPairs must be a whole number, 0 or more, got ${String(maxPairs)}`);
  }
  if (!(Number.isInteger(maxTokens) && maxTokens >= 1)) {
    throw badOption(`maxTokens must be a whole number above 0, got ${String(maxTokens)}`);
  }
  if (!(Number.isFinite(temperature) && temperature >= 0)) {
    throw badOption(`temperature must be a number, 0 or more, got ${String(temperature)}`);
  }
  const band = options.band ?? ([Math.max(0, matchThreshold - UNCLEAR_BELOW), exactThreshold] as const);
  const [low, high] = band;
  if (!(low >= 0 && high <= 1 && low <= high)) {
    throw badOption(`band must be two scores from 0 to 1, the lower one first, got ${JSON.stringify(band)}`);
  }
  return { models, k, band, maxPairs, temperature, maxTokens, caller, cache };
}

function checkModels(models: readonly ModelChoice[]): void {
  if (!Array.isArray(models) || models.length === 0) {
    throw badOption('models is empty: name at least one, such as {adapter: "openai", model: "gpt-6-luna"}');
  }
  const seen = new Set<string>();
  for (const { adapter, model } of models) {
    if (typeof adapter !== 'string' || adapter === '' || typeof model !== 'string' || model === '') {
      throw badOption('a model needs an adapter and a model, such as {adapter: "openai", model: "gpt-6-luna"}');
    }
    // It would vote twice, and agree with itself.
    const name = JSON.stringify([adapter, model]);
    if (seen.has(name)) throw badOption(`${adapter}/${model} is named twice: raise k for more votes of it`);
    seen.add(name);
  }
}

function badOption(problem: string): JudgeError {
  return new JudgeError('OPTIONS_INVALID', `Option llm: ${problem}.`);
}
