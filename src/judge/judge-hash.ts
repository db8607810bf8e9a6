import { z } from 'zod';
import type { ModelCaller } from '../models/call/model-caller.ts';
import { JUDGE_FENCE_TEMPLATE, JUDGE_USER_TEMPLATE } from '../models/scoring/templates.ts';
import { projectName, textFree } from '../secrets/text-marks.ts';
import { contentHash } from '../text/json/canonical-json.ts';
import { MOST_CONTEXT_CHARACTERS } from './context-limit.ts';
import { JUDGE_SYSTEM_TEMPLATE } from './prompt/prompt.ts';
import { sectionsFor } from './prompt/section-content.ts';
import type { BallotRequest } from './votes/cast-vote.ts';
import type { JudgeMetadata } from './votes/judge-metadata.ts';

/** Everything that changes the verdicts of a judge. */
export interface JudgeIdentity
  extends Pick<
    BallotRequest,
    | 'judges'
    | 'temperature'
    | 'criteria'
    | 'customPrompt'
    | 'sections'
    | 'includeSystemPrompt'
    | 'k'
    | 'threshold'
    | 'whenTooLong'
    | 'maxContextCharacters'
  > {
  aggregation?: JudgeMetadata['aggregation'] | undefined;
  earlyStop?: boolean | undefined;
}

/** What a judge is, so that two judges can be compared. What is judged does not change it. A document. */
export const judgeFactsSchema = z.object({
  judges: z.array(
    z.object({
      provider: projectName(z.string()),
      /** What answers: the server's address, the command, the module with a hash of its content. */
      server: projectName(z.string()),
      model: projectName(z.string()),
      weight: z.number(),
    }),
  ),
  k: z.int().positive(),
  threshold: z.number(),
  temperature: z.number(),
  aggregation: textFree(z.string()),
  early_stop: z.boolean(),
  sections: z.array(textFree(z.string())),
  /** Both are missing where they are the defaults, so that a judge has the hash that it had before they existed. */
  when_too_long: textFree(z.string()).optional(),
  max_context_characters: z.int().positive().optional(),
  /** Hashes. */
  prompt: textFree(z.string()),
  rubric: textFree(z.string()),
});

export type JudgeFacts = z.infer<typeof judgeFactsSchema>;
type Models = Pick<ModelCaller, 'providerName' | 'identity'>;

const TEMPLATES = { system: JUDGE_SYSTEM_TEMPLATE, user: JUDGE_USER_TEMPLATE, fence: JUDGE_FENCE_TEMPLATE };

/** The only place that assembles them, so that a judge's verdicts and its calibration always have the same hash. */
export function judgeFacts(judge: JudgeIdentity, models: Models, templates = TEMPLATES): JudgeFacts {
  const { k, threshold, temperature, aggregation = 'median', earlyStop = false } = judge;
  return {
    // Not by the adapter's name, because a project may name an adapter as it likes. The weight of a single judge has no
    // effect.
    judges: judge.judges.map(({ adapter, model, weight }, _, all) => ({
      provider: models.providerName(adapter),
      server: models.identity(adapter),
      model,
      weight: all.length === 1 ? 1 : weight,
    })),
    k,
    threshold,
    temperature,
    aggregation,
    early_stop: earlyStop,
    sections: [...sectionsFor(judge.sections, judge.includeSystemPrompt)],
    ...tooLongFacts(judge),
    prompt: contentHash([judge.customPrompt ?? templates.system, templates.user, templates.fence]),
    rubric: contentHash(
      judge.criteria.map(({ name, description, weight, scale, binary, reference, parts }) => {
        const any = parts === 'any' ? parts : undefined;
        return { name, description, weight, scale, binary: binary ? true : undefined, reference, parts: any };
      }),
    ),
  };
}

function tooLongFacts({
  whenTooLong = 'parts',
  maxContextCharacters = MOST_CONTEXT_CHARACTERS,
}: JudgeIdentity): Pick<JudgeFacts, 'when_too_long' | 'max_context_characters'> {
  return {
    ...(whenTooLong !== 'parts' && { when_too_long: whenTooLong }),
    ...(maxContextCharacters !== MOST_CONTEXT_CHARACTERS && { max_context_characters: maxContextCharacters }),
  };
}

/** The key of a judge's calibration. */
export function judgeHash(judge: JudgeIdentity, models: Models): string {
  return contentHash(judgeFacts(judge, models));
}

/**
 * How a judge differs from one that was calibrated, such as "calibrated with k=1, this run uses k=9". One part for each
 * difference; empty when they are the same judge.
 */
export function judgeDifferences(calibrated: JudgeFacts, used: JudgeFacts): string[] {
  const parts = (facts: JudgeFacts): Record<string, string> => ({
    model: facts.judges.map(({ model }) => model).join('+'),
    provider: facts.judges.map(({ provider }) => provider).join('+'),
    server: facts.judges.map(({ server }) => server).join(', '),
    weights: facts.judges.map(({ weight }) => weight).join(', '),
    k: String(facts.k),
    threshold: String(facts.threshold),
    temperature: String(facts.temperature),
    aggregation: facts.aggregation,
    early_stop: String(facts.early_stop),
    context: facts.sections.join(', '),
    when_too_long: facts.when_too_long ?? 'parts',
    max_context_characters: String(facts.max_context_characters ?? 'default'),
  });
  const before = parts(calibrated);
  const now = parts(used);
  const named = Object.keys(now)
    .filter((key) => before[key] !== now[key])
    .map((key) => `calibrated with ${key}=${before[key]}, this run uses ${key}=${now[key]}`);
  return [
    ...named,
    ...(calibrated.prompt === used.prompt ? [] : ['calibrated with another prompt']),
    ...(calibrated.rubric === used.rubric ? [] : ['calibrated with another rubric']),
  ];
}
