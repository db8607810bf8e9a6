import type { ModelCaller } from '../../models/model-caller.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { judgeHash } from '../judge-hash.ts';
import { judgeSettings, scenarioJudges } from '../scenario-judges.ts';
import type { CalibrationRecord } from './calibration-record.ts';

/** A judge that scenarios ask for: model, prompt and rubric together. */
export interface JudgeInUse {
  judgeHash: string;
  /** Of a panel all of them. */
  judgeModel: string;
  /** The first scenario that asks for it. */
  relativeFile: string;
  /** Its answers are scripted, so it needs no calibration. */
  isScript: boolean;
}

/** Each judge once, in the order of the scenarios. */
export function judgesInUse(options: {
  scenarios: readonly Pick<LoadedScenario, 'scenario' | 'relativeFile'>[];
  project: Project;
  models: Pick<ModelCaller, 'providerName'>;
}): JudgeInUse[] {
  const { models } = options;
  const projectJudge = options.project.config.judge;
  const byHash = new Map<string, JudgeInUse>();
  for (const { scenario, relativeFile } of options.scenarios) {
    for (const { assertion, judges } of scenarioJudges(scenario, projectJudge)) {
      if (!assertion.criteria) continue;
      const hash = judgeHash(judgeSettings(assertion, projectJudge), models);
      if (byHash.has(hash)) continue;
      byHash.set(hash, {
        judgeHash: hash,
        judgeModel: judges.map(({ model }) => model).join('+'),
        relativeFile,
        isScript: judges.every(({ adapter }) => models.providerName(adapter) === 'scripted'),
      });
    }
  }
  return [...byHash.values()];
}

/** The stored calibration of a judge; null when it has none, undefined when it needs none because it is a script. */
export type CalibrationOf = (judgeHash: string) => Promise<CalibrationRecord | null | undefined>;

/** Looks calibrations up in the store. */
export function calibrationLookup(
  store: { getCalibration(judgeHash: string): Promise<CalibrationRecord | null> },
  judges: readonly JudgeInUse[],
): CalibrationOf {
  const scripts = new Set(judges.filter(({ isScript }) => isScript).map((judge) => judge.judgeHash));
  return async (hash) => (await store.getCalibration(hash)) ?? (scripts.has(hash) ? undefined : null);
}

/** The judges that need a calibration and have none. */
export async function neverCalibrated(
  judges: readonly JudgeInUse[],
  calibrationOf: CalibrationOf,
): Promise<JudgeInUse[]> {
  const known = await Promise.all(judges.map((judge) => calibrationOf(judge.judgeHash)));
  return judges.filter((_, index) => known[index] === null);
}
