import { assertionIds } from '../../evaluators/assertion-ids.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import type { Criterion } from '../../scenario/schema/criterion-schema.ts';
import { SalvoError } from '../../text/salvo-error.ts';
import { type JudgeAssertion, scenarioJudges } from '../scenario-judges.ts';
import type { LabelledItem } from './calibration-labels.ts';

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
        ? `${relativeFile} has ${judges.length} judges (${names}): say with --assertion which one is meant.`
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
    `${file}:${without?.line ?? 1}: by which rubric? Name one with --rubric or --scenario, or give every line "criteria" of its own.`,
    { location: { file, line: without?.line ?? 1 } },
  );
}
