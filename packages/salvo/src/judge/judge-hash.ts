import type { ModelCaller } from '../models/call/model-caller.ts';
import { DECIDE_USER_TEMPLATE, JUDGE_FENCE_TEMPLATE, JUDGE_USER_TEMPLATE } from '../models/scoring/templates.ts';
import { contentHash } from '../text/json/canonical-json.ts';
import { MOST_CONTEXT_CHARACTERS } from './context-limit.ts';
import type { JudgeFacts } from './judge-facts.ts';
import { DECIDE_SYSTEM_TEMPLATE, decisionQuestions, JUDGE_SYSTEM_TEMPLATE } from './prompt/prompt.ts';
import { sectionsFor } from './prompt/section-content.ts';
import type { JudgeSettings } from './votes/cast-vote.ts';

/** Everything that changes the verdicts of a judge. */
export type JudgeIdentity = Omit<JudgeSettings, 'maxTokens' | 'timeoutSeconds'>;

type Models = Pick<ModelCaller, 'providerName' | 'identity'>;

const TEMPLATES = { system: JUDGE_SYSTEM_TEMPLATE, user: JUDGE_USER_TEMPLATE, fence: JUDGE_FENCE_TEMPLATE };

/** How criteria become questions, shown on two of them. */
const QUESTION_FORMS = JSON.stringify(
  decisionQuestions([false, true].map((binary) => ({ name: 'a', description: 'b', weight: 1, binary }))),
);

/** The only place that assembles them, so that a judge's verdicts and its calibration always have the same hash. */
export function judgeFacts(judge: JudgeIdentity, models: Models, templates = TEMPLATES): JudgeFacts {
  const { k, threshold, temperature, aggregation = 'median', earlyStop = false } = judge;
  return {
    // Not by the adapter's name, because a project may name an adapter as it likes. The weight of a single judge has no
    // effect.
    judges: judge.judges.map(({ adapter, model, weight, mode }, _, all) => ({
      provider: models.providerName(adapter),
      server: models.identity(adapter),
      model,
      ...(mode === 'decide' && { mode }),
      weight: all.length === 1 ? 1 : weight,
    })),
    ...(judge.cascade && {
      cascade: {
        stages: judge.cascade.stages.map(({ k: votes, sure }) => ({ k: votes, sure })),
        people: judge.cascade.people,
      },
    }),
    k,
    threshold,
    temperature,
    aggregation,
    early_stop: earlyStop,
    sections: [...sectionsFor(judge.sections, judge.includeSystemPrompt)],
    ...(judge.turn !== undefined && judge.turn !== 'last' && { turn: String(judge.turn) }),
    ...(judge.transform !== undefined && { transform: contentHash(judge.transform) }),
    ...tooLongFacts(judge),
    prompt: contentHash(templatesOf(judge, templates)),
    rubric: contentHash(
      judge.criteria.map(({ name, description, weight, scale, binary, reference, parts }) => {
        const any = parts === 'any' ? parts : undefined;
        return { name, description, weight, scale, binary: binary ? true : undefined, reference, parts: any };
      }),
    ),
  };
}

/** Those of chat models come first, so that a judge without decision models has the hash that it always had. */
function templatesOf({ judges, customPrompt }: JudgeIdentity, { system, user, fence }: typeof TEMPLATES): string[] {
  const hasDecisions = judges.some(({ mode }) => mode === 'decide');
  const hasChats = judges.some(({ mode }) => mode !== 'decide');
  return [
    ...(hasChats ? [customPrompt ?? system, user, fence] : []),
    ...(hasDecisions ? [customPrompt ?? DECIDE_SYSTEM_TEMPLATE, DECIDE_USER_TEMPLATE, fence, QUESTION_FORMS] : []),
  ];
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
