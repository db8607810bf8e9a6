import { checkDrift, neverChecked } from '../../judge/calibration/drift/check-drift.ts';
import type { DriftCheck } from '../../judge/calibration/drift/drift-check.ts';
import type { JudgeInUse } from '../../judge/calibration/judges-in-use.ts';
import { judgeSettings } from '../../judge/scenario-judges.ts';
import type { DescribedScenario } from '../../run/conduct/prepare-scenario.ts';
import { noEarlierTrials, readEarlierTrials } from '../../run/record/earlier-trials.ts';
import { knownUsd, sumCosts } from '../../stats/cost.ts';
import { judgesOf } from '../../store/judge-tables.ts';
import type { Store } from '../../store/store.ts';
import { judgeCost, judgeCostFields } from '../../trace/cost-fields.ts';
import type { Stoppable } from '../project/open-project.ts';
import type { ProjectModels } from '../project/project-models.ts';

export interface CheckOptions extends Stoppable {
  /** Of the run, which the checks are part of. */
  budgetUsd: number | null;
  /** Whether calls with this adapter are replayed, so that nothing can be seen of the service. */
  isReplayed: (adapter: string) => boolean;
  /** Called before the first call. */
  onStart: () => void;
}

/** Checks whether each calibrated judge still says what it said then, with at most 20 calls for each. */
export async function checkJudges(
  judges: readonly JudgeInUse[],
  options: Pick<ProjectModels, 'project' | 'models'> &
    CheckOptions & {
      store: Store;
      scenarios: readonly DescribedScenario[];
      /** The run that the checks are part of: if it is resumed, its trials have used some of the budget. */
      runId: string;
      /** Of a run that is resumed: a judge that had changed before its first trials is not asked again. */
      earlier: readonly DriftCheck[] | undefined;
    },
): Promise<DriftCheck[]> {
  const { project, models, store, budgetUsd, isReplayed, stop, abort, earlier = [] } = options;
  const scenarios = options.scenarios.map(({ scenario }) => scenario);
  const checks = earlier.filter(({ outcome }) => outcome === 'changed');
  const open = judges.filter(({ judgeHash, isScript }) => {
    return !isScript && checks.every(({ judge_hash }) => judge_hash !== judgeHash);
  });
  if (open.length > 0) options.onStart();
  let spent = budgetUsd === null ? 0 : await spentBefore(options.runId, store, earlier);
  for (const { judgeHash, assertion } of open) {
    const before = earlier.filter(({ judge_hash }) => judge_hash === judgeHash);
    const record = await judgesOf(store).getCalibration(judgeHash);
    const settings = judgeSettings(assertion, project.config.judge);
    if (!record || settings.judges.some(({ adapter }) => isReplayed(adapter))) {
      const why = record ? 'its answers are replayed from a cassette' : 'it was never calibrated';
      checks.push(withCostOf(before, neverChecked(judgeHash, why)));
      continue;
    }
    const left = budgetUsd === null ? null : Math.max(0, budgetUsd - spent);
    const concurrency = project.config.concurrency;
    const check = await checkDrift(record, {
      ...{ settings, models, scenarios, stop, abort, concurrency, budgetUsd: left },
    });
    spent += knownUsd(judgeCost(check));
    checks.push(withCostOf(before, check));
  }
  return checks;
}

/** What a run that is resumed has spent: on its trials, and on its earlier checks. */
async function spentBefore(runId: string, store: Store, earlier: readonly DriftCheck[]): Promise<number> {
  const trials = noEarlierTrials();
  await readEarlierTrials({ runId, recorder: store, of: () => trials, add: () => {} });
  return earlier.reduce((sum, check) => sum + knownUsd(judgeCost(check)), trials.costUsd);
}

/** A check that is repeated replaces the earlier one, but not what that one cost. */
function withCostOf(before: readonly DriftCheck[], check: DriftCheck): DriftCheck {
  return { ...check, ...judgeCostFields(sumCosts([...before, check].map(judgeCost))) };
}
