import { DEFAULT_MODEL, type JudgeMode } from '../scenario/schema/shared-fields.ts';

/** What an assertion of type `judge` can say about its judge. */
export type JudgeChoices = Unset<JudgeConfig>;

/** `judge:` in `salvo.yaml`. */
export interface ProjectJudge extends Unset<Pick<JudgeConfig, 'mode' | 'k' | 'temperature' | 'max_tokens'>> {
  adapter?: string | null | undefined;
  model?: string | null | undefined;
  default_threshold?: number | null | undefined;
}

export interface JudgeConfig {
  judge_adapter: string;
  judge_model: string;
  /** How the judge is asked; as a chat model when missing. */
  mode?: JudgeMode;
  k: number;
  temperature: number;
  max_tokens: number;
  threshold: number;
}

type Unset<T> = { [Field in keyof T]?: T[Field] | null | undefined };

const DEFAULTS: Omit<JudgeConfig, 'max_tokens'> = {
  judge_adapter: 'openai',
  judge_model: DEFAULT_MODEL,
  k: 3,
  temperature: 0,
  threshold: 0.8,
};

/** Field by field: what the assertion says, else what the project says, else the default. */
export function resolveJudgeConfig<A extends JudgeChoices, P extends ProjectJudge>(
  assertion: A,
  projectJudge?: P | null,
): JudgeConfig {
  const judge_model = assertion.judge_model ?? projectJudge?.model ?? DEFAULTS.judge_model;
  const mode = assertion.mode ?? projectJudge?.mode;
  return {
    judge_adapter: assertion.judge_adapter ?? projectJudge?.adapter ?? DEFAULTS.judge_adapter,
    judge_model,
    ...(mode && { mode }),
    k: assertion.k ?? projectJudge?.k ?? DEFAULTS.k,
    temperature: assertion.temperature ?? projectJudge?.temperature ?? DEFAULTS.temperature,
    max_tokens: assertion.max_tokens ?? projectJudge?.max_tokens ?? defaultMaxTokens(judge_model),
    threshold: assertion.threshold ?? projectJudge?.default_threshold ?? DEFAULTS.threshold,
  };
}

/** How many votes each judge gives. Decision models answer the same each time, so they vote once. */
export function votesPerJudge(k: number, judges: readonly { mode?: JudgeMode | undefined }[]): number {
  return judges.length > 0 && judges.every(({ mode }) => mode === 'decide') ? 1 : k;
}

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
