import { dirname, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { inspectProject, loadProject } from '../load-project.ts';
import { inspectScenario, loadScenario } from '../load-scenario.ts';

const JUDGE = '  - {type: judge, rubric: ./rubric.yaml, judge_adapter: ./judge.ts, judge_model: m}\n';
const CHECKS = `- {type: custom, module: ./check.ts}\n  - {type: findings, manifest: ./manifest.json}\n${JUDGE}`;
const RUBRIC = '- {name: right, description: It is right.}\n';

function folder(name: string): Record<string, string> {
  return {
    [`${name}/agent.ts`]: '',
    [`${name}/check.ts`]: '',
    [`${name}/judge.ts`]: '',
    [`${name}/manifest.json`]: '[]',
    [`${name}/rubric.yaml`]: RUBRIC,
    [`${name}/prompt.md`]: `From ${name}.`,
  };
}

describe('a path in a scenario is relative to the file that it is written in:', () => {
  test('the scenario in a sub-folder', async () => {
    await using fixture = await projectFixture({
      'salvo.yaml': '',
      ...folder('scenarios/deep'),
      'scenarios/deep/a.yaml': `prompt: !include prompt.md\nadapter: ./agent.ts\nassertions:\n  ${CHECKS}`,
    });
    const { scenario } = await loadScenario({
      file: fixture.path('scenarios/deep/a.yaml'),
      project: await fixture.project(),
    });
    // Files stay relative to the scenario. Adapters are known by their path in the project.
    expect(scenario).toMatchObject({
      prompt: 'From scenarios/deep.',
      adapter: './scenarios/deep/agent.ts',
      assertions: [
        { module: './check.ts' },
        { manifest: './manifest.json' },
        { judge_adapter: './scenarios/deep/judge.ts', criteria: [{ name: 'right' }] },
      ],
    });
  });

  test('a file that it includes', async () => {
    await using fixture = await projectFixture({
      'salvo.yaml': '',
      ...folder('shared'),
      'shared/_assertions.yaml': `${CHECKS.replaceAll('\n  -', '\n-')}`,
      'shared/_task.yaml': 'prompt: !include prompt.md\nadapter: ./agent.ts\n',
      'scenarios/deep/a.yaml':
        '<<: !include ../../shared/_task.yaml\nassertions: !include ../../shared/_assertions.yaml\n',
    });
    const { scenario } = await loadScenario({
      file: fixture.path('scenarios/deep/a.yaml'),
      project: await fixture.project(),
    });
    expect(scenario).toMatchObject({
      prompt: 'From shared.',
      adapter: './shared/agent.ts',
      assertions: [
        { module: '../../shared/check.ts' },
        { manifest: '../../shared/manifest.json' },
        { judge_adapter: './shared/judge.ts', criteria: [{ name: 'right' }] },
      ],
    });
  });

  test('a panel of judges', async () => {
    await using fixture = await projectFixture({
      'salvo.yaml': '',
      ...folder('scenarios'),
      'scenarios/a.yaml':
        'prompt: hi\nassertions:\n  - {type: judge, rubric: rubric.yaml, judges: [{adapter: judge.ts, model: m}]}\n',
    });
    const { scenario } = await loadScenario({
      file: fixture.path('scenarios/a.yaml'),
      project: await fixture.project(),
    });
    expect(scenario.assertions).toMatchObject([{ judges: [{ adapter: './scenarios/judge.ts' }] }]);
  });

  test('a file that is in the project, but not there, is pointed out', async () => {
    await using fixture = await projectFixture({
      'salvo.yaml': '',
      ...folder('.'),
      'scenarios/a.yaml': `prompt: hi\nadapter: ./agent.ts\nassertions:\n  - {type: custom, module: ./check.ts}\n`,
    });
    const { diagnostics } = await inspectScenario({
      file: fixture.path('scenarios/a.yaml'),
      project: await fixture.project(),
    });
    expect(diagnostics.map(({ line, column, message, hint }) => [line, column, message, hint])).toEqual([
      [2, 10, './agent.ts does not exist', 'a path is relative to the file that it is written in: ../agent.ts'],
      [4, 28, './check.ts does not exist', 'a path is relative to the file that it is written in: ../check.ts'],
    ]);
  });
});

test('a path in salvo.yaml is relative to salvo.yaml, wherever Salvo is started', async () => {
  await using fixture = await projectFixture({
    'salvo.yaml':
      'default_adapter: ./agent.ts\njudge: {adapter: ./judge.ts}\nadapters: {mine: {type: module, path: ./agent.ts}}\nscenarios_dir: ./tests\n',
    ...folder('.'),
    'tests/deep/a.yaml': 'prompt: hi\nassertions: [{type: output_json}]\n',
  });
  const deep = dirname(fixture.path('tests/deep/a.yaml'));
  expect((await inspectProject(deep)).diagnostics).toEqual([]);
  const project = await loadProject(deep);
  expect(project.root).toBe(fixture.root);
  const { diagnostics } = await inspectScenario({ file: fixture.path('tests/deep/a.yaml'), project });
  expect(diagnostics).toEqual([]);
  expect(relative(project.root, fixture.path('tests'))).toBe(project.config.scenarios_dir.replace('./', ''));
});
