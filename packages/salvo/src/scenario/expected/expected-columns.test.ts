import { expect, it } from 'vitest';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { loadProject } from '../load-project.ts';
import { inspectScenario } from '../load-scenario.ts';

async function inspectCsv(csv: string, scenario = 'prompt: "{{q}}"\ndata: rows.csv\n') {
  const project = await projectFixture({ 'salvo.yaml': '{}', 's.yaml': scenario, 'rows.csv': csv });
  await using _ = project;
  const loaded = await loadProject(project.root);
  return await inspectScenario({ file: project.path('s.yaml'), project: loaded });
}

it('makes assertions of the columns __expected and __expectedN, after those of the row', async () => {
  const { scenario, diagnostics } = await inspectCsv(
    'q,assertions,__expected,__expected2\n' +
      'a,"{""type"": ""output_contains"", ""value"": ""x""}",1.50,icontains: y\n' +
      'b,,contains: {{q}},\n',
  );
  expect(diagnostics).toEqual([]);
  expect(scenario?.data).toMatchObject([
    {
      q: 'a',
      assertions: [
        { type: 'output_contains', value: 'x' },
        { type: 'output_equals', value: '1.50' },
        { type: 'output_contains', value: 'y', case_sensitive: false },
      ],
    },
    { q: 'b', assertions: [{ type: 'output_contains', value: '{{q}}' }] },
  ]);
  expect(Object.keys(scenario?.data?.[0] ?? {})).not.toContain('__expected');
});

it('reports a cell that is no assertion at its place', async () => {
  const { scenario, diagnostics } = await inspectCsv('q,__expected\na,contains: x\nb,moderation: y\n');
  expect(scenario).toBeNull();
  expect(diagnostics.map(({ line, column, message }) => [line, column, message])).toMatchObject([
    [3, 3, '"moderation" is not read from a cell'],
  ]);
  const broken = await inspectCsv('q,__expected,__expected2\na,b,javascript: output.(\n');
  expect(broken.diagnostics[0]).toMatchObject({ file: expect.stringContaining('rows.csv'), line: 2, column: 5 });
});

it('leaves other files and columns alone', async () => {
  const { scenario } = await inspectCsv(
    'q,__expected_answer\na,b\n',
    'prompt: "{{q}} {{__expected_answer}}"\ndata: rows.csv\n',
  );
  expect(scenario?.data).toEqual([{ q: 'a', __expected_answer: 'b' }]);
});
