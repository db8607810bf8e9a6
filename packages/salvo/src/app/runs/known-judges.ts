import type { DriftCheck } from '../../judge/calibration/drift/drift-check.ts';
import {
  type CalibrationOf,
  calibrationLookup,
  type JudgeInUse,
  judgesInUse,
  neverCalibrated,
  recalibrationLookup,
  type UncalibratedJudge,
} from '../../judge/calibration/judges-in-use.ts';
import type { RecalibrationOf } from '../../judge/votes/recalibrated-verdict.ts';
import type { DescribedScenario } from '../../run/conduct/prepare-scenario.ts';
import { judgesOf } from '../../store/judge-tables.ts';
import type { Store } from '../../store/store.ts';
import type { ProjectModels } from '../project/project-models.ts';
import type { CheckOptions } from './check-judges.ts';

export { openProjectModels } from '../project/project-models.ts';

export interface KnownJudges {
  judges: JudgeInUse[];
  calibrationOf?: CalibrationOf;
  recalibrationOf?: RecalibrationOf;
  uncalibrated: UncalibratedJudge[];
  /** Whether each still says what it said in its calibration; missing if it was not checked. */
  checks?: readonly DriftCheck[] | undefined;
}

/**
 * The judges of a run, and what is known about them. `earlier` are the checks of a run that is resumed; with `check`,
 * the judges are checked now.
 */
export async function knownJudges(
  scenarios: readonly DescribedScenario[],
  options: Pick<ProjectModels, 'project' | 'models'> & {
    store: Store;
    runId: string;
    earlier: readonly DriftCheck[] | undefined;
    check: CheckOptions | null;
  },
): Promise<KnownJudges> {
  const { project, models, store, runId, earlier, check } = options;
  const judges = judgesInUse({ scenarios, project, models });
  const now = check && (await import('./check-judges.ts'));
  const checks = now
    ? await now.checkJudges(judges, { scenarios, project, models, store, runId, earlier, ...check })
    : earlier;
  const calibrationOf = calibrationLookup(judgesOf(store), judges, checks);
  const recalibrationOf = recalibrationLookup(calibrationOf);
  const uncalibrated = await neverCalibrated(judges, calibrationOf);
  return { judges, calibrationOf, recalibrationOf, uncalibrated, checks };
}
