import type { Shard } from '../../run/record/run-record.ts';
import { isShard, readShard } from '../../run/record/shard.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';

interface CiSystem {
  name: string;
  index: string;
  count: string;
  /** The number of the first of its parallel jobs. */
  first: 0 | 1;
  /** A variable that only this system sets, if another one has the same names with other numbers. */
  known?: string;
}

const CI_SYSTEMS: readonly CiSystem[] = [
  { name: 'GitLab', index: 'CI_NODE_INDEX', count: 'CI_NODE_TOTAL', first: 1, known: 'GITLAB_CI' },
  { name: 'CircleCI', index: 'CIRCLE_NODE_INDEX', count: 'CIRCLE_NODE_TOTAL', first: 0 },
  { name: 'Buildkite', index: 'BUILDKITE_PARALLEL_JOB', count: 'BUILDKITE_PARALLEL_JOB_COUNT', first: 0 },
  { name: 'Azure Pipelines', index: 'SYSTEM_JOBPOSITIONINPHASE', count: 'SYSTEM_TOTALJOBSINPHASE', first: 1 },
  { name: 'Bitbucket', index: 'BITBUCKET_PARALLEL_STEP', count: 'BITBUCKET_PARALLEL_STEP_COUNT', first: 0 },
];

/** The shard of this job: `SALVO_SHARD`, or what the CI system says about its parallel jobs. */
export function shardOfCi(env: Record<string, string | undefined>): Shard {
  if (env.SALVO_SHARD) {
    const shard = readShard(env.SALVO_SHARD);
    if (shard) return shard;
    throw new SalvoError('SHARD_UNKNOWN', `SALVO_SHARD should be like 2/4, but is "${env.SALVO_SHARD}".`);
  }
  const system = CI_SYSTEMS.find(({ index, count, known }) => env[index] && env[count] && (!known || env[known]));
  if (!system) {
    const names = CI_SYSTEMS.map(({ name, index }) => `${index} (${name})`).join(', ');
    throw new SalvoError(
      'SHARD_UNKNOWN',
      `{option:shard} auto found none of these variables: SALVO_SHARD, ${names}. Give the shard: {option:shard} 2/4.`,
    );
  }
  const [index, count] = [env[system.index] ?? '', env[system.count] ?? ''];
  const shard = { index: wholeNumber(index) + 1 - system.first, count: wholeNumber(count) };
  if (isShard(shard)) return shard;
  throw new SalvoError(
    'SHARD_UNKNOWN',
    `${system.index}=${index} and ${system.count}=${count} are no shard. Give it: {option:shard} 2/4.`,
  );
}

function wholeNumber(text: string): number {
  return /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
}
