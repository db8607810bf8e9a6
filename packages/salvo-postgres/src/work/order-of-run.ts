import type { ChosenEntry } from 'salvo/kit/app';
import type { JudgeInUse } from 'salvo/kit/judge';
import type { WorkOrder, WorkQueue } from 'salvo/kit/queue';
import { type Baseline, baselineText, type DescribedScenario, type RunRecord } from 'salvo/kit/run';
import type { Project } from 'salvo/kit/scenario';
import { packProject, sendParcel } from '../parcel/pack-project.ts';
import { fileHash } from '../parcel/parcel-document.ts';
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
