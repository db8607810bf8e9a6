import { everyAssertion } from '../scenario/cases/case-fields.ts';
import { namesJudge } from '../scenario/checks/check-asked-judge.ts';
import type { Assertion, AssertionOf } from '../scenario/schema/assertion-schema.ts';
import type { ProjectConfig } from '../scenario/schema/project-schema.ts';
import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import type { WrittenStage } from '../scenario/schema/shared-fields.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { defaultMaxTokens, resolveJudgeConfig, votesPerJudge } from './judge-config.ts';
import type { Cascade, CascadeStage, Judge, JudgeSettings } from './votes/cast-vote.ts';

export type JudgeAssertion = AssertionOf<'judge'>;
type ProjectJudge = ProjectConfig['judge'] | undefined;

/** An assertion of type `judge`, and the judges that it asks. */
export interface ScenarioJudge {
  assertion: JudgeAssertion;
  /** Position among the assertions of the scenario, followed by those of its rows. */
  index: number;
  judges: Judge[];
  /** One of them is enough for a verdict; otherwise more than half of their votes are needed. */
  isCascade: boolean;
}

/** The judges that a scenario and its rows ask, one entry for each assertion of type `judge`. */
export function scenarioJudges(
  scenario: Pick<Scenario, 'assertions' | 'data'>,
  projectJudge: ProjectJudge,
): ScenarioJudge[] {
  return everyAssertion(scenario).flatMap((assertion, index) =>
    isJudgeAssertion(assertion)
      ? [
          {
            assertion,
            index,
            judges: judgesOfAssertion(assertion, projectJudge),
            isCascade: writtenStages(assertion, projectJudge) !== null,
          },
        ]
      : [],
  );
}

/** What an assertion asks of its judges: each field by the assertion, else by the project, else by default. */
export function judgeSettings(assertion: JudgeAssertion, projectJudge: ProjectJudge): JudgeSettings {
  const { criteria } = assertion;
  if (!criteria) {
    throw new SalvoError('CRITERIA_MISSING', 'The judge assertion has no criteria: its rubric was not loaded.');
  }
  const { turn } = assertion;
  const { k, threshold, temperature } = resolveJudgeConfig(assertion, projectJudge);
  const judges = judgesOfAssertion(assertion, projectJudge);
  const cascade = cascadeOf(assertion, projectJudge);
  return {
    // One answer is enough, so one part that shows it is, too.
    criteria: turn === 'any' ? criteria.map((criterion) => ({ ...criterion, parts: 'any' })) : criteria,
    judges,
    ...(cascade && { cascade }),
    k: cascade?.stages.at(-1)?.k ?? votesPerJudge(k, judges),
    threshold,
    temperature,
    // The judges of a panel have one limit: that of the one that needs most.
    maxTokens:
      assertion.max_tokens ??
      projectJudge?.max_tokens ??
      Math.max(...judges.map(({ model }) => defaultMaxTokens(model))),
    timeoutSeconds: projectJudge?.timeout_seconds,
    aggregation: assertion.aggregation,
    sections: assertion.context,
    turn,
    ...(assertion.transform !== undefined && { transform: assertion.transform }),
    includeSystemPrompt: assertion.include_system_prompt,
    customPrompt: assertion.custom_prompt,
    earlyStop: assertion.early_stop,
    whenTooLong: assertion.when_too_long ?? projectJudge?.when_too_long,
    maxContextCharacters: assertion.max_context_characters ?? projectJudge?.max_context_characters,
  };
}

// A registered assertion type cannot have the name of a built-in one.
function isJudgeAssertion(assertion: Assertion): assertion is JudgeAssertion {
  return assertion.type === 'judge';
}

/** Missing for a chat model. */
function decided(mode: Judge['mode']): Pick<Judge, 'mode'> {
  return mode === 'decide' ? { mode } : {};
}

/** The cascade of an assertion: its own, or that of the project unless the assertion names a judge. */
function writtenStages(assertion: JudgeAssertion, projectJudge: ProjectJudge): readonly WrittenStage[] | null {
  return assertion.cascade ?? (namesJudge(assertion) ? null : (projectJudge?.cascade ?? null));
}

function cascadeOf(assertion: JudgeAssertion, projectJudge: ProjectJudge): Cascade | null {
  const written = writtenStages(assertion, projectJudge);
  if (!written) return null;
  const { judge_adapter } = resolveJudgeConfig(assertion, projectJudge);
  const { k } = resolveJudgeConfig({}, projectJudge);
  const stages = written.flatMap((stage): CascadeStage[] => {
    if (stage.model === undefined) return [];
    const judge = { adapter: stage.adapter ?? judge_adapter, model: stage.model, weight: 1, ...decided(stage.mode) };
    return [{ judge, k: votesPerJudge(stage.k ?? k, [judge]), sure: stage.sure ?? null }];
  });
  return { stages, people: written.some(({ people }) => people === true) };
}

function judgesOfAssertion(assertion: JudgeAssertion, projectJudge: ProjectJudge): Judge[] {
  const cascade = cascadeOf(assertion, projectJudge);
  if (cascade) return cascade.stages.map(({ judge }) => judge);
  const { judge_adapter, judge_model, mode } = resolveJudgeConfig(assertion, projectJudge);
  if (!assertion.judges) return [{ adapter: judge_adapter, model: judge_model, weight: 1, ...decided(mode) }];
  return assertion.judges.map(({ adapter = judge_adapter, model, weight, ...judge }) => ({
    ...{ adapter, model, weight },
    // Not the mode of the project, which is for the project's own model.
    ...decided(judge.mode ?? assertion.mode),
  }));
}
