import { describe, expect, it } from 'vitest';
import { shardOfCi } from './shard-of-ci.ts';

describe('--shard auto', () => {
  it.each([
    ['Salvo', { SALVO_SHARD: '2/4', CI_NODE_INDEX: '1', CI_NODE_TOTAL: '3', GITLAB_CI: 'true' }],
    ['GitLab, which counts from 1', { GITLAB_CI: 'true', CI_NODE_INDEX: '2', CI_NODE_TOTAL: '4' }],
    ['CircleCI, which counts from 0', { CIRCLE_NODE_INDEX: '1', CIRCLE_NODE_TOTAL: '4' }],
    ['Buildkite, which counts from 0', { BUILDKITE_PARALLEL_JOB: '1', BUILDKITE_PARALLEL_JOB_COUNT: '4' }],
    ['Azure, which counts from 1', { SYSTEM_JOBPOSITIONINPHASE: '2', SYSTEM_TOTALJOBSINPHASE: '4' }],
    ['Bitbucket, which counts from 0', { BITBUCKET_PARALLEL_STEP: '1', BITBUCKET_PARALLEL_STEP_COUNT: '4' }],
  ])('reads the variables of %s', (_, env) => {
    expect(shardOfCi(env)).toEqual({ index: 2, count: 4 });
  });

  it.each([
    [{}, 'found none of these variables'],
    // Heroku has the variables of GitLab, but counts from 0.
    [{ CI_NODE_INDEX: '1', CI_NODE_TOTAL: '4' }, 'found none of these variables'],
    [{ SALVO_SHARD: '5/4' }, 'SALVO_SHARD should be like 2/4'],
    [{ GITLAB_CI: 'true', CI_NODE_INDEX: '0', CI_NODE_TOTAL: '4' }, 'CI_NODE_INDEX=0 and CI_NODE_TOTAL=4 are no shard'],
    [{ CIRCLE_NODE_INDEX: '1e1', CIRCLE_NODE_TOTAL: '20' }, 'are no shard'],
  ])('refuses %j', (env, message) => {
    expect(() => shardOfCi(env)).toThrow(message);
  });
});
