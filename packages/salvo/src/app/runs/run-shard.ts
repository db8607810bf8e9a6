import { resolve } from 'node:path';
import { plannedTrials } from '../../run/record/planned-cases.ts';
import type { Shard } from '../../run/record/run-record.ts';
import { casesOfShard, shardName } from '../../run/record/shard.ts';
import { loadSettings } from '../../scenario/load-project.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { PART_VERSION, type PartHeader } from '../../store/parts/part-document.ts';
import { removePart, writePart } from '../../store/parts/write-part.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { contentHash } from '../../text/json/canonical-json.ts';
import { openResources } from '../../text/open-resources.ts';
import { type FinishedRun, performRun } from './run.ts';
import type { PerformRunOptions } from './run-options.ts';

export interface RunShardOptions extends PerformRunOptions {
  shard: Shard;
  /** The folder that gets the part. */
  out: string;
}

export interface FinishedShard extends FinishedRun {
  /** The file that `mergeParts` reads. */
  file: string;
  /** Whether every trial of the shard has a result. */
  isComplete: boolean;
}

/**
 * Runs one shard's share of the trials and writes them as a part. The verdict is that of all parts together: see
 * `mergeParts`.
 */
export async function runShard(options: RunShardOptions): Promise<FinishedShard> {
  const { cwd = process.cwd(), shard } = options;
  const refused = options.earlyStop ? 'earlyStop' : options.against !== undefined ? 'against' : null;
  if (refused !== null) {
    throw new SalvoError(
      'OPTIONS_INVALID',
      `{option:${refused}} needs all trials, and shard ${shardName(shard)} does not see those of the others: leave it out.`,
    );
  }
  const settings_hash = settingsHash(await loadSettings(cwd));
  const folder = resolve(cwd, options.out);
  await removePart(folder, shard);
  await using resources = openResources();
  const finished = resources.use(await performRun(options));
  const { run, store } = finished;
  const { planned = [] } = finished;
  const numbers = planned.map((cases) => cases.map(({ index, trials }): [number, number] => [index, trials]));
  const header: PartHeader = { salvo_part: PART_VERSION, shard, settings_hash, planned: numbers, run };
  const { file, results } = await writePart({ folder, header, store });
  const isComplete = results === plannedTrials(casesOfShard(planned, shard).flat());
  return resources.keepFor({ ...finished, file, isComplete });
}

/** Of what must be the same on all machines: not where results are stored, nor how many trials run at once. */
function settingsHash({ config }: Project): string {
  const { storage_dir: _, database_url: __, database_migrate: ___, concurrency: ____, ...settings } = config;
  return contentHash(settings);
}
