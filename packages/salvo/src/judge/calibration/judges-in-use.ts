import type { ModelCaller } from '../../models/call/model-caller.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { contentHash } from '../../text/json/canonical-json.ts';
import { type JudgeFacts, judgeDifferences } from '../judge-facts.ts';
import { judgeFacts } from '../judge-hash.ts';
import { type JudgeAssertion, judgeSettings, scenarioJudges } from '../scenario-judges.ts';
import type { CalibrationRecord } from './calibration-record.ts';
import type { DriftCheck } from './drift/drift-check.ts';

/** A judge that scenarios ask for. */
export interface JudgeInUse {
  judgeHash: string;
  facts: JudgeFacts;
  /** Of a panel all of them. */
  judgeModel: string;
  /** The first scenario that asks for it. */
  relativeFile: string;
  /** The assertion of that scenario. */
  assertion: JudgeAssertion;
  /** Its answers are scripted, so it needs no calibration. */
  isScript: boolean;
}

/** Each judge once, in the order of the scenarios. */
export function judgesInUse(options: {
  scenarios: readonly Pick<LoadedScenario, 'scenario' | 'relativeFile'>[];
  project: Project;
  models: Pick<ModelCaller, 'providerName' | 'identity'>;
}): JudgeInUse[] {
  const { models } = options;
  const projectJudge = options.project.config.judge;
  const byHash = new Map<string, JudgeInUse>();
  for (const { scenario, relativeFile } of options.scenarios) {
    for (const { assertion, judges } of scenarioJudges(scenario, projectJudge)) {
      // Labels of single answers say nothing about a judge of pairs.
      if (!assertion.criteria || assertion.against !== undefined) continue;
      const facts = judgeFacts(judgeSettings(assertion, projectJudge), models);
      const judgeHash = contentHash(facts);
      if (byHash.has(judgeHash)) continue;
      byHash.set(judgeHash, {
        judgeHash,
        facts,
        judgeModel: judges.map(({ model }) => model).join('+'),
        relativeFile,
        assertion,
        isScript: judges.every(({ adapter }) => models.providerName(adapter) === 'scripted'),
      });
    }
  }
  return [...byHash.values()];
}

/** The stored calibration of a judge, or how the most similar calibrated judge differs from it. */
export type KnownCalibration = {
  /** Whether the judge was checked before the run, and what was found. */
  drift?: DriftCheck | undefined;
} & (
  | { record: CalibrationRecord }
  /** `difference` is null when no calibrated judge is similar. */
  | { record: null; difference: string | null }
);

/** What is known about a judge; undefined when it needs no calibration because it is a script. */
export type CalibrationOf = (judgeHash: string) => Promise<KnownCalibration | undefined>;

/** Looks calibrations up in the store. */
export function calibrationLookup(
  store: {
    getCalibration(judgeHash: string): Promise<CalibrationRecord | null>;
    listCalibrations(): Promise<CalibrationRecord[]>;
  },
  judges: readonly Pick<JudgeInUse, 'judgeHash' | 'facts' | 'isScript'>[],
  checks: readonly DriftCheck[] = [],
): CalibrationOf {
  return async (hash) => {
    const drift = checks.find(({ judge_hash }) => judge_hash === hash);
    const record = await store.getCalibration(hash);
    if (record) return { record, drift };
    const judge = judges.find((each) => each.judgeHash === hash);
    if (judge?.isScript) return undefined;
    const difference = judge ? nearestDifference(await store.listCalibrations(), judge.facts) : null;
    return { record, difference, drift };
  };
}

/** A judge that differs in more than this is another judge altogether. */
const MOST_DIFFERENCES = 2;

function nearestDifference(records: readonly CalibrationRecord[], facts: JudgeFacts): string | null {
  const [nearest] = records
    .map(({ judge }) => judgeDifferences(judge, facts))
    .filter(({ length }) => length > 0 && length <= MOST_DIFFERENCES)
    .toSorted((a, b) => a.length - b.length);
  return nearest ? nearest.join('; ') : null;
}

/** `difference`: how the most similar calibrated judge differs. */
export type UncalibratedJudge = Pick<JudgeInUse, 'judgeHash' | 'judgeModel' | 'relativeFile'> & {
  difference: string | null;
};

/** The judges that need a calibration and have none. */
export async function neverCalibrated(
  judges: readonly JudgeInUse[],
  calibrationOf: CalibrationOf,
): Promise<UncalibratedJudge[]> {
  const known = await Promise.all(judges.map((judge) => calibrationOf(judge.judgeHash)));
  return judges.flatMap(({ judgeHash, judgeModel, relativeFile }, index) => {
    const calibration = known[index];
    if (calibration?.record !== null) return [];
    return [{ judgeHash, judgeModel, relativeFile, difference: calibration.difference }];
  });
}
