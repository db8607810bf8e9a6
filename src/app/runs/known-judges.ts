import type { CalibrationOf, JudgeInUse, UncalibratedJudge } from '../../judge/calibration/judges-in-use.ts';
import { scenarioJudges } from '../../judge/scenario-judges.ts';
import type { ModelCaller } from '../../models/call/model-caller.ts';
import type { DescribedScenario } from '../../run/conduct/prepare-scenario.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import type { Store } from '../../store/store.ts';

interface KnownJudges {
  judges: JudgeInUse[];
  calibrationOf?: CalibrationOf;
  uncalibrated: UncalibratedJudge[];
}

/** The judges of a run, and what is known about them. Most runs have none, and load nothing for them. */
export async function knownJudges(
  scenarios: readonly DescribedScenario[],
  { project, models, store }: { project: Project; models: ModelCaller; store: Store },
): Promise<KnownJudges> {
  if (scenarios.every(({ scenario }) => scenarioJudges(scenario, project.config.judge).length === 0)) {
    return { judges: [], uncalibrated: [] };
  }
  const { calibrationLookup, judgesInUse, neverCalibrated } = await import('../../judge/calibration/judges-in-use.ts');
  const judges = judgesInUse({ scenarios, project, models });
  const calibrationOf = calibrationLookup(store, judges);
  return { judges, calibrationOf, uncalibrated: await neverCalibrated(judges, calibrationOf) };
}
