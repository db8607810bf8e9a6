import type { TakenJob } from '../../queue/work-queue.ts';
import { unusedVotesCost } from '../../run/conduct/paid-votes.ts';
import { addCosts, traceCost, trialCost, trialCostSince, whatIsMissing } from '../../run/record/earlier-trials.ts';
import type { StoredTrial, TrialCost } from '../../run/record/run-record.ts';
import type { JobRecorder, WorkerAccess } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { judgeCost } from '../../trace/cost-fields.ts';

/**
 * Writes for a job. If the job is another worker's by now, nothing is written but what the attempt has cost, so that the
 * bill and the budget are right.
 */
export function lossKeepingRecorder(
  workerAccess: Pick<WorkerAccess, 'ofJob' | 'addEarlierCost'>,
  job: TakenJob,
): JobRecorder {
  const recorder = workerAccess.ofJob(job.lease);
  const { saveFinished } = recorder;
  /** What the trial had cost before this attempt. */
  let before: TrialCost | null = null;

  async function keepLoss<T>(writing: Promise<T>, addLoss: () => Promise<unknown>): Promise<T> {
    try {
      return await writing;
    } catch (error) {
      if (error instanceof SalvoError && error.code === 'JOB_LOST') await addLoss();
      throw error;
    }
  }

  /** The cost of the agent is that of the trace, which was stored before. Without a result, it was interrupted. */
  async function addLossOf({ result, ...trial }: StoredTrial): Promise<void> {
    if (result === null) {
      const cost = trial.earlier_cost && trialCostSince(before, trial.earlier_cost);
      if (cost) await workerAccess.addEarlierCost(trial, cost);
      return;
    }
    // If the other worker has no result yet, `saveTrial` of it leaves out the votes that it finds in the cache.
    const paid = trialCost({ judges: judgeCost(result) });
    if (await workerAccess.addEarlierCost(trial, paid, { unlessJudged: true })) return;
    const place = { scenario: trial.scenario_index, case: trial.case_index, trial: trial.trial_number };
    const judgement = (await recorder.getTrial(trial.run_id, place))?.result;
    // Votes that the other worker found in the cache are on the bill with its result.
    const judges = judgement ? unusedVotesCost(result, { judgement }) : judgeCost(result);
    await workerAccess.addEarlierCost(trial, trialCost({ judges }));
  }

  return {
    ...recorder,
    async getTrial(runId, place) {
      const stored = await recorder.getTrial(runId, place);
      before = stored?.earlier_cost ?? null;
      if (stored) {
        const missing = await whatIsMissing(stored, recorder);
        if (missing.what === 'everything') before = addCosts(before, missing.cost);
      }
      return stored;
    },
    saveTrace: (trace, trial) =>
      keepLoss(
        recorder.saveTrace(trace, trial),
        async () => trial && (await workerAccess.addEarlierCost(trial, traceCost(trace))),
      ),
    // Without a judge, as nobody is called between the two.
    saveFinished:
      saveFinished &&
      ((trace, trial) =>
        keepLoss(saveFinished(trace, trial), () => workerAccess.addEarlierCost(trial, traceCost(trace)))),
    saveTrial: (trial) => keepLoss(recorder.saveTrial(trial), () => addLossOf(trial)),
  };
}
