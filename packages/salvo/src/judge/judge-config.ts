/** What an assertion of type `judge` can say about its judge. */
export type JudgeChoices = Unset<JudgeConfig>;

/** `judge:` in `salvo.yaml`. */
export interface ProjectJudge extends Unset<Pick<JudgeConfig, 'k' | 'temperature' | 'max_tokens'>> {
  adapter?: string | null | undefined;
  model?: string | null | undefined;
  default_threshold?: number | null | undefined;
}

export interface JudgeConfig {
  judge_adapter: string;
  judge_model: string;
  k: number;
  temperature: number;
  max_tokens: number;
  threshold: number;
}

type Unset<T> = { [Field in keyof T]?: T[Field] | null | undefined };

const DEFAULTS: JudgeConfig = {
  judge_adapter: 'openai',
  judge_model: 'gpt-4o-mini',
  k: 3,
  temperature: 0,
  max_tokens: 1024,
  threshold: 0.8,
};

/** Field by field: what the assertion says, else what the project says, else the default. */
export function resolveJudgeConfig<A extends JudgeChoices, P extends ProjectJudge>(
  assertion: A,
  projectJudge?: P | null,
): JudgeConfig {
  return {
    judge_adapter: assertion.judge_adapter ?? projectJudge?.adapter ?? DEFAULTS.judge_adapter,
    judge_model: assertion.judge_model ?? projectJudge?.model ?? DEFAULTS.judge_model,
    k: assertion.k ?? projectJudge?.k ?? DEFAULTS.k,
    temperature: assertion.temperature ?? projectJudge?.temperature ?? DEFAULTS.temperature,
    max_tokens: assertion.max_tokens ?? projectJudge?.max_tokens ?? DEFAULTS.max_tokens,
    threshold: assertion.threshold ?? projectJudge?.default_threshold ?? DEFAULTS.threshold,
  };
}
