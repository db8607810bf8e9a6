import { symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { validateFiles } from '../../packages/salvo/src/app/project/validate.ts';
import { projectFixture } from '../project-fixture.ts';

const SECRET = 'aws_access_key_id';
const CREDENTIALS = `[default]\n${SECRET} = 1\n`;
const scenario = (assertion: string) =>
  `prompt: hi\nadapter: scripted\nscript: [{content: a}]\nassertions: [${assertion}]\n`;

const REFERENCES: [what: string, content: string][] = [
  ['a manifest', scenario('{type: findings, manifest: FILE}')],
  ['a module of a custom assertion', scenario('{type: custom, module: FILE}')],
  ['a rubric', scenario('{type: judge, rubric: FILE}')],
  ['an included file', 'prompt: !include FILE\nadapter: scripted\nscript: [{content: a}]\n'],
];

describe.for(REFERENCES)('%s outside the project', ([, content]) => {
  test.for(['by its path', 'through a link'])('is neither read nor quoted: %s', async (way) => {
    await using outside = await projectFixture({ 'credentials.yaml': CREDENTIALS });
    await using project = await projectFixture({ 'salvo.yaml': '' });
    symlinkSync(outside.path('credentials.yaml'), project.path('link.yaml'));
    const file = way === 'by its path' ? outside.path('credentials.yaml') : './link.yaml';
    await project.write('s.yaml', content.replace('FILE', file));
    const { diagnostics } = await validateFiles({ cwd: project.root, files: ['s.yaml'] });
    expect(diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual([
      'outside-project',
    ]);
    expect(JSON.stringify(diagnostics)).not.toContain(SECRET);
  });

  test('is read if salvo.yaml allows it', async () => {
    await using outside = await projectFixture({ 'credentials.yaml': CREDENTIALS });
    await using project = await projectFixture({ 'salvo.yaml': 'allow_outside: true\n' });
    await project.write('s.yaml', content.replace('FILE', outside.path('credentials.yaml')));
    const { diagnostics } = await validateFiles({ cwd: project.root, files: ['s.yaml'] });
    expect(diagnostics.map(({ code }) => code)).not.toContain('outside-project');
  });
});

test('a scenario that is a link out of the project is neither read nor quoted', async () => {
  await using outside = await projectFixture({ 'credentials.yaml': CREDENTIALS });
  await using project = await projectFixture({ 'salvo.yaml': '' });
  symlinkSync(outside.path('credentials.yaml'), project.path('s.yaml'));
  const { diagnostics } = await validateFiles({ cwd: project.root, files: ['s.yaml'] });
  expect(diagnostics.map(({ code }) => code)).toEqual(['outside-project']);
  expect(JSON.stringify(diagnostics)).not.toContain(SECRET);
});

test('what is wrong with a manifest is told by its position, not by its content', async () => {
  await using project = await projectFixture({
    'salvo.yaml': '',
    'm.json': CREDENTIALS,
    's.yaml': scenario('{type: findings, manifest: m.json}'),
  });
  const { diagnostics } = await validateFiles({ cwd: project.root, files: ['s.yaml'] });
  expect(diagnostics.map(({ message }) => message)).toEqual(['m.json:1:2: this is not JSON from here on.']);
});
