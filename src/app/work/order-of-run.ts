import type { JudgeInUse } from '../../judge/calibration/judges-in-use.ts';
import type { WorkOrder, WorkQueue } from '../../queue/work-queue.ts';
import { type Baseline, baselineText } from '../../run/compare/baseline.ts';
import type { DescribedScenario } from '../../run/conduct/prepare-scenario.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { packProject, sendParcel } from '../parcel/pack-project.ts';
import { fileHash } from '../parcel/parcel-document.ts';
import type { ChosenEntry } from '../selection/choose-entries.ts';
import { newOrder, type RunSettings } from './order-settings.ts';

/** What workers have to know of a run. Its files are sent to the queue. */
export async function orderOfRun(
  options: {
    run: RunRecord;
    chosen: readonly ChosenEntry[];
    described: readonly DescribedScenario[];
    project: Project;
    cwd: string;
    env: Record<string, string | undefined>;
    judges: readonly JudgeInUse[];
    baseline: Baseline | null;
    /** In addition to those of scenarios. */
    labels: readonly string[];
  } & Pick<RunSettings, 'early_stop' | 'retries' | 'judge_cache' | 'budget_usd'>,
  queue: WorkQueue,
): Promise<WorkOrder> {
  const { run, chosen, described, project, cwd, env, baseline, early_stop, retries, judge_cache, budget_usd } = options;
  const packed = await packProject({ project, entries: chosen, cwd, env });
  const written = baseline && Buffer.from(baselineText(baseline));
  const contents = new Map(packed.contents);
  if (written) contents.set(fileHash(written), written);
  await sendParcel({ contents }, queue);
  const settings: RunSettings = {
    labels: described.map(({ scenario }) => [...new Set([...(scenario.labels ?? []), ...options.labels])]),
    ...{ early_stop, retries, judge_cache, budget_usd },
    judge: project.config.judge,
    judges: options.judges.map(({ judgeHash, isScript, facts }) => ({
      judge_hash: judgeHash,
      is_script: isScript,
      facts,
    })),
    baseline: written && fileHash(written),
  };
  return newOrder({ kind: 'run', id: run.run_id }, packed, settings);
}
