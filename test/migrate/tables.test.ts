import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { migrateProject } from '../../packages/salvo/src/app/migrate/migrate-project.ts';
import { runCli } from '../cli/cli-fixture.ts';
import { projectFixture } from '../project-fixture.ts';

type Tool = 'openai-evals' | 'deepeval' | 'inspect-samples';

const EVAL = {
  object: 'eval',
  data_source_config: { type: 'custom' },
  testing_criteria: [
    {
      type: 'string_check',
      name: 'same',
      input: '{{sample.output_text}}',
      reference: '{{item.label}}',
      operation: 'ilike',
    },
    {
      ...{ type: 'text_similarity', name: 'near', input: '{{ sample.output_text }}', reference: '{{item.label}}' },
      ...{ evaluation_metric: 'cosine', pass_threshold: 0.8 },
    },
    {
      ...{ type: 'score_model', name: 'score', model: 'gpt-4o', range: [0, 10], pass_threshold: 5 },
      input: [{ role: 'user', content: 'Is {{sample.output_text}} polite?' }],
    },
    {
      ...{ type: 'label_model', name: 'label', model: 'gpt-4o', labels: ['a', 'b'], passing_labels: ['a'] },
      input: [{ role: 'user', content: { type: 'input_text', text: 'Label it.' } }],
    },
  ],
};
const RUN = {
  data_source: {
    ...{ type: 'completions', model: 'gpt-4o', sampling_params: { temperature: 0 } },
    source: { type: 'file_content', content: [{ item: { input: 'Hi', label: 'a' } }] },
    input_messages: {
      type: 'template',
      template: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: '{{item.input}}' },
      ],
    },
  },
};

const TAKEN: [string, Tool, Record<string, string>, string[], string[]][] = [
  [
    ...([
      'an eval with its run',
      'openai-evals',
      { 'eval.json': JSON.stringify(EVAL), 'run.json': JSON.stringify(RUN) },
    ] as const),
    [
      'output_contains',
      'output_similar',
      'threshold: 0.5',
      'binary: true',
      'system_prompt: Be brief.',
      'model: gpt-4o',
    ],
    [],
  ],
  [
    ...([
      'an eval with items as JSON lines',
      'openai-evals',
      { 'eval.json': JSON.stringify(EVAL), 'items.jsonl': '{"item":{"question":"Hi","label":"a"}}\n' },
    ] as const),
    ['prompt: "{{question}}"'],
    [],
  ],
  [
    ...([
      'goldens',
      'deepeval',
      {
        'g.json':
          '[{"input":"Hi","expected_output":"Hello","context":["a","b"],"expected_tools":[{"name":"search"}]},{"input":"Only shown"}]',
      },
    ] as const),
    ['{{expected_output}}', 'tool_called', 'Context:'],
    [],
  ],
  [
    ...(['a table of goldens', 'deepeval', { 'g.csv': 'input,expected_output,actual_output\nHi,Hello,x\n' }] as const),
    ['{{expected_output}}'],
    [],
  ],
  [
    ...([
      'conversational goldens',
      'deepeval',
      { 'g.json': '[{"scenario":"Buys a shoe","expected_outcome":"It is bought","user_description":"A runner"}]' },
    ] as const),
    ['{{scenario}}', '{{expected_outcome}}', 'persona'],
    [],
  ],
  [
    ...([
      'samples of all forms',
      'inspect-samples',
      {
        's.jsonl':
          '{"id":1,"input":"2+2?","target":"4"}\n{"id":2,"input":"Pick","target":"B","choices":["x","y"]}\n{"id":3,"input":"Any","target":["a","b"]}\n{"id":4,"input":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}],"target":"x"}\n{"id":5,"input":"f","target":"x","files":{"a":"b"}}\n',
      },
    ] as const),
    ['output_contains', 'output_matches', 'output_contains_any'],
    ['files'],
  ],
  [
    ...(['a table of samples', 'inspect-samples', { 's.csv': 'input,target\n2+2?,4\n' }] as const),
    ['output_contains'],
    [],
  ],
];

it.each(TAKEN)('makes a valid project of %s', async (_, tool, files, texts, gaps) => {
  await using project = await projectFixture(files);
  const report = await migrateProject({ tool, cwd: project.root, files: Object.keys(files), out: 'out' });
  expect(report.left_out.map(({ what }) => what)).toEqual(gaps);
  const scenarios = await readdir(project.path('out/scenarios'));
  const written = await Promise.all(scenarios.map((name) => readFile(project.path(`out/scenarios/${name}`), 'utf8')));
  for (const text of texts) expect(written.join('\n')).toContain(text);
});

const REFUSED: [string, Tool, Record<string, string>, string][] = [
  ['an empty file', 'deepeval', { 'g.json': '' }, 'g.json:1:1'],
  ['a truncated file', 'deepeval', { 'g.json': '[{"input": "Hi"' }, 'g.json:1'],
  ['an empty list', 'deepeval', { 'g.json': '[]' }, 'there are no rows'],
  ['rows of a wrong type', 'deepeval', { 'g.json': '[1, "x", null]' }, 'no row can be translated'],
  [
    'goldens without an input',
    'deepeval',
    { 'g.json': '[{"expected_output":"x"}]' },
    'neither an input nor a scenario',
  ],
  ['a file that is not there', 'inspect-samples', { 'x.txt': '' }, 's.jsonl'],
  ['a truncated line', 'inspect-samples', { 's.jsonl': '{"input":"a","target":"b"}\n{"input":' }, 's.jsonl:2'],
  ['deep nesting', 'inspect-samples', { 's.jsonl': `${'['.repeat(5000)}` }, 's.jsonl:1'],
  ['no graders', 'openai-evals', { 'eval.json': '{"data":[{"item":{}}]}' }, 'testing_criteria'],
  ['an eval without items', 'openai-evals', { 'eval.json': JSON.stringify(EVAL) }, 'there are no items'],
  [
    'a grader that is not known',
    'openai-evals',
    { 'eval.json': '{"testing_criteria":[{"type":"multi"}]}', 'items.jsonl': '{"item":{"input":"a"}}' },
    'a formula over several graders',
  ],
];

it.each(REFUSED)('refuses %s, and writes nothing', async (_, tool, files, problem) => {
  await using project = await projectFixture(files);
  const names = 'x.txt' in files ? ['s.jsonl'] : Object.keys(files);
  const { code, stderr, stdout } = await runCli(['import', tool, ...names, '--out', 'out'], { cwd: project.root });
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
  expect(stderr).toContain(problem);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect((await readdir(project.root)).sort()).toEqual(Object.keys(files).sort());
});
