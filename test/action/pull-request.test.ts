import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readEvent, readEventFile } from '../../action/pull-request.ts';

const eventFile = (name: string) => fileURLToPath(new URL(`../fixtures/github-events/${name}.json`, import.meta.url));

describe('an event', () => {
  test.each([
    ['pull_request', { pullRequest: 42, isFork: false, targetBranch: 'main' }],
    ['pull_request-from-fork', { pullRequest: 42, isFork: true, targetBranch: 'main' }],
    ['pull_request-from-deleted-fork', { pullRequest: 42, isFork: true, targetBranch: 'main' }],
    ['merge_group', { pullRequest: null, isFork: false, targetBranch: 'main' }],
    ['push', { pullRequest: null, isFork: false, targetBranch: null }],
    ['workflow_dispatch', { pullRequest: null, isFork: false, targetBranch: null }],
    ['schedule', { pullRequest: null, isFork: false, targetBranch: null }],
  ])('%s says which pull request and branch it is about', (name, expected) => {
    expect(readEventFile(eventFile(name))).toEqual(expected);
  });

  test.each([
    null,
    [],
    'text',
    { pull_request: 'x' },
    { pull_request: { number: '42; rm', base: { ref: '--upload-pack=x' } } },
    { pull_request: { number: -1, base: { ref: 'a..b' } } },
    { merge_group: { base_ref: 'refs/heads/$(id)' } },
  ])('%j says nothing', (payload) => {
    expect(readEvent(payload)).toMatchObject({ pullRequest: null, targetBranch: null });
  });
});
