import { describe, expect, test } from 'vitest';
import { scoreFiles } from '../../packages/salvo-arena/src/app/scoring/score-files.ts';
import { projectFixture } from '../project-fixture.ts';

const MANIFEST = JSON.stringify({
  vulnerabilities: [
    { id: 'v1', type: 'encryption', resource: 'aws_s3_bucket.data' },
    { id: 'v2', type: 'access_control', resource: 'aws_s3_bucket.data' },
  ],
});
const FOUND = { type: 'encryption', resource: 'aws_s3_bucket.data', severity: 'high' };
const ALARM = { type: 'network', resource: 'aws_security_group.web', severity: 'medium' };
const project = () =>
  projectFixture({
    'red.json': MANIFEST,
    'one.json': JSON.stringify([FOUND, ALARM]),
    'two.json': JSON.stringify([{ ...ALARM, source: 'my-scanner' }]),
  });

describe('scoreFiles', () => {
  test('needs only the names of files, and returns a sheet with one entry per Blue', async () => {
    await using files = await project();
    const events: string[] = [];
    const sheet = await scoreFiles({
      cwd: files.root,
      red: 'red.json',
      blue: ['one.json', 'two.json'],
      onEvent: ({ type }) => events.push(type),
    });
    expect(sheet).toMatchObject({ matcher: 'evidence', matchThreshold: 0.55, exactThreshold: 0.7 });
    expect(sheet.blues.map(({ name, results }) => [name, results.truePositives])).toEqual([
      ['one.json', 1],
      ['my-scanner', 0],
    ]);
    expect(events).toEqual(['files_read', 'blue_scored', 'blue_scored']);
  });

  test('compares with a policy', async () => {
    await using files = await project();
    const score = (minRecall: number) =>
      scoreFiles({ cwd: files.root, red: 'red.json', blue: ['one.json'], minRecall });
    expect((await score(0.5)).blues[0]?.gate).toEqual({ status: 'passed', messages: [] });
    expect((await score(0.6)).blues[0]?.gate).toMatchObject({ status: 'failed' });
  });

  test('throws errors with a code', async () => {
    await using files = await project();
    const score = (changes: object) =>
      scoreFiles({ cwd: files.root, env: {}, red: 'red.json', blue: ['one.json'], ...changes });
    await expect(score({ red: 'none.json' })).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    await expect(score({ source: 'none' })).rejects.toMatchObject({ code: 'FOLDER_UNREADABLE' });
    await expect(score({ llm: ['gpt-5'] })).rejects.toMatchObject({ code: 'ADAPTER_NOT_READY' });
  });
});
