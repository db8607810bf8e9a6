import { describe, expect, it } from 'vitest';
import { isThisMachine, rightsSentence, type ViewerRight, viewerRights } from './viewer-rights.ts';

const local = { host: '127.0.0.1', allowedHosts: [], readOnly: false, allow: [] };

describe('what a viewer allows', () => {
  it.each<[string, Parameters<typeof viewerRights>[0], ViewerRight[]]>([
    ['everything on this machine', local, ['run', 'label', 'write', 'delete']],
    ['nothing with --read-only', { ...local, readOnly: true }, []],
    ['nothing for other machines', { ...local, host: '0.0.0.0' }, []],
    ['nothing behind a proxy', { ...local, allowedHosts: ['viewer.example.com'] }, []],
    ['what is added for other machines', { ...local, host: '10.0.0.7', allow: ['label'] }, ['label']],
    ['what is added to --read-only', { ...local, readOnly: true, allow: ['run', 'label'] }, ['run', 'label']],
  ])('is %s', (_, request, rights) => {
    expect(viewerRights(request)).toEqual(rights);
  });

  it('is said in words', () => {
    expect(rightsSentence(['run', 'delete'])).toBe('see all results, resume and stop runs and delete runs');
    expect(rightsSentence(['label'])).toBe('see all results and give labels');
    expect(rightsSentence([])).toContain('change nothing');
  });
});

it.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.1.4', false],
  ['127.0.0.1.evil.example', false],
])('%s is this machine: %s', (host, expected) => {
  expect(isThisMachine(host)).toBe(expected);
});
