import type { JudgeInUse } from '../../judge/calibration/judges-in-use.ts';
import { type Baseline, baselineText } from '../../run/compare/baseline.ts';
import type { DescribedScenario } from '../../run/conduct/prepare-scenario.ts';
import type { RunOutcome } from '../../run/conduct/run-request.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import type { Stoppable } from '../project/open-project.ts';
import { runKind } from './run-kind.ts';
import type { RunWork } from './run-work.ts';
import { openWorkers, type WorkNeeds, type WorkRequest } from './workers-door.ts';

/** Lets workers perform the trials of a run. */
export async function runByWorkers(
  request: Pick<WorkRequest<RunWork>, 'store' | 'project' | 'cwd' | 'env' | 'budgetUsd'> & {
    options: Stoppable &
      Pick<Partial<WorkRequest<RunWork>>, 'workers' | 'concurrency' | 'onEvent'> & {
        retries?: number | undefined;
        judgeCache?: boolean | undefined;
      };
    run: RunRecord;
    chosen: WorkNeeds['entries'];
    described: readonly DescribedScenario[];
    judges: readonly JudgeInUse[];
    baseline: Baseline | null;
  },
): Promise<RunOutcome> {
  const { options, run, chosen, described, project, judges, baseline, store, cwd, env, budgetUsd } = request;
  const { workers, concurrency = project.config.concurrency, stop, abort, onEvent } = options;
  return await (await openWorkers()).perform(runKind, {
    ...{ store, project, cwd, env, budgetUsd, workers, concurrency, stop, abort, onEvent },
    id: run.run_id,
    record: run,
    settings: {
      retries: options.retries ?? null,
      judge_cache: options.judgeCache ?? true,
      judge: project.config.judge,
      judges: judges.map(({ judgeHash, isScript, facts }) => ({ judge_hash: judgeHash, is_script: isScript, facts })),
    },
    labels: described.map(({ scenario }) => [...new Set([...(scenario.labels ?? []), ...(workers?.labels ?? [])])]),
    needs: { entries: chosen },
    files: baseline ? { baseline: Buffer.from(baselineText(baseline)) } : {},
  });
}
