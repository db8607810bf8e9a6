import {
  type CalibrationOf,
  calibrationLookup,
  type JudgeInUse,
  judgesInUse,
  neverCalibrated,
  type UncalibratedJudge,
} from '../../judge/calibration/judges-in-use.ts';
import type { DescribedScenario } from '../../run/conduct/prepare-scenario.ts';
import { judgesOf } from '../../store/judge-tables.ts';
import type { Store } from '../../store/store.ts';
import type { ProjectModels } from '../project/project-models.ts';

export { openProjectModels } from '../project/project-models.ts';

export interface KnownJudges {
  judges: JudgeInUse[];
  calibrationOf?: CalibrationOf;
  uncalibrated: UncalibratedJudge[];
}

/** The judges of a run, and what is known about them. */
export async function knownJudges(
  scenarios: readonly DescribedScenario[],
  { project, models, store }: Pick<ProjectModels, 'project' | 'models'> & { store: Store },
): Promise<KnownJudges> {
  const judges = judgesInUse({ scenarios, project, models });
  const calibrationOf = calibrationLookup(judgesOf(store), judges);
  return { judges, calibrationOf, uncalibrated: await neverCalibrated(judges, calibrationOf) };
}
