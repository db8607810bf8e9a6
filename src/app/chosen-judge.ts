import { assertionIds } from '../evaluators/assertion-ids.ts';
import type { LabelledItem } from '../judge/calibration/calibration-labels.ts';
import { type JudgeAssertion, judgeSettings, scenarioJudges } from '../judge/scenario-judges.ts';
import type { LoadedScenario } from '../scenario/load-scenario.ts';
import { ASSERTION_SCHEMAS } from '../scenario/schema/assertion-schema.ts';
import type { Criterion } from '../scenario/schema/criterion-schema.ts';
import { SalvoError } from '../text/salvo-error.ts';
import type { ProjectModels } from './project-models.ts';

/** How a user chooses a judge. */
export interface JudgeOptions {
  judge?: string | undefined;
  model?: string | undefined;
  k?: number | undefined;
  threshold?: number | undefined;
}

/** The judge that the user chose, in the form of a scenario's assertion. */
export function chosenJudge(asked: JudgeAssertion | readonly Criterion[], options: JudgeOptions): JudgeAssertion {
  const assertion = isRubric(asked) ? ASSERTION_SCHEMAS.judge.parse({ type: 'judge', criteria: asked }) : asked;
  const { judge, model } = options;
  return {
    ...assertion,
    judge_adapter: judge ?? assertion.judge_adapter,
    judge_model: model ?? assertion.judge_model,
    // A judge that is named replaces a panel.
    judges: judge === undefined && model === undefined ? assertion.judges : undefined,
    k: options.k ?? assertion.k,
    threshold: options.threshold ?? assertion.threshold,
  };
}

/** What an assertion asks of its judges. Throws when one cannot be called, which would leave everything unscored. */
export function readyJudgeSettings(
  assertion: JudgeAssertion,
  { project, checkReady }: ProjectModels,
): ReturnType<typeof judgeSettings> {
  const settings = judgeSettings(assertion, project.config.judge);
  for (const { adapter } of settings.judges) checkReady(adapter);
  return settings;
}

/** The judge that a scenario asks for; `id` says which, when it asks for several. */
export function judgeOfScenario({ scenario, relativeFile }: LoadedScenario, id: string | undefined): JudgeAssertion {
  const ids = assertionIds(scenario.assertions);
  const judges = scenarioJudges(scenario, undefined).map(({ assertion, index }) => ({
    assertion,
    id: ids[index] ?? '',
  }));
  const [first, second] = id === undefined ? judges : judges.filter((judge) => judge.id === id);
  if (first && !second) return first.assertion;
  const names = judges.map((judge) => `"${judge.id}"`).join(', ');
  throw new SalvoError(
    'JUDGE_NOT_FOUND',
    judges.length === 0
      ? `${relativeFile} has no assertion of type judge, so there is no judge to calibrate. --rubric names criteria instead.`
      : id === undefined
        ? `${relativeFile} has ${judges.length} judges (${names}): choose one with --assertion.`
        : `${relativeFile} has no judge "${id}". It has ${names}.`,
  );
}

/** The rubric of labels that bring their own; an error when one does not. */
export function rubricOfLabels(items: readonly LabelledItem[], file: string): readonly Criterion[] {
  const without = items.find(({ criteria }) => criteria === null);
  const rubric = items[0]?.criteria;
  if (!without && rubric) return rubric;
  throw new SalvoError(
    'LABELS_WITHOUT_RUBRIC',
    `${file}:${without?.line ?? 1}: there is no rubric. Name one with --rubric or --scenario, or give every line its own "criteria".`,
    { location: { file, line: without?.line ?? 1 } },
  );
}

function isRubric(asked: JudgeAssertion | readonly Criterion[]): asked is readonly Criterion[] {
  return Array.isArray(asked);
}
