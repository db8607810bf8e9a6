import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  isDocumentKind,
  DOCUMENT_VERSIONS as OWN_VERSIONS,
} from '../../packages/salvo/src/app/documents/document-kinds.ts';
import { documentSchema } from '../../packages/salvo/src/app/documents/document-schemas.ts';
import { readResults } from '../../packages/salvo/src/run/compare/read-results.ts';
import { DOCUMENT_VERSIONS as ARENA_VERSIONS } from '../../packages/salvo-arena/src/app/documents/document-kinds.ts';
import { schemaOf } from '../../packages/salvo-arena/src/app/documents/documents-door.ts';
import { createDatabase, type TestDatabase } from '../postgres.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';
import { done, sampleScenario, variedScript } from './sample-scenario.ts';

/**
 * What each version of each document looked like, `KIND.vVERSION.json`. These files are never changed: a Salvo that can't
 * read one of them has broken its promise. `SALVO_WRITE_DOCUMENTS=1` writes those of a new kind or version.
 */
const FIXTURES = fileURLToPath(new URL('../fixtures/json-documents/', import.meta.url));

const JUDGE = `
export default async ({ messages }) => {
  const text = messages.at(-1).content;
  const score = text.includes('GOOD') ? 1 : 0;
  return { content: JSON.stringify({ correct: { reasoning: 'It says so.', score } }), cost_usd: 0.001 };
};`;

const labels = Array.from({ length: 40 }, (_, index) =>
  JSON.stringify({
    task: 'Say it.',
    response: `${(index % 2 === 0) !== (index === 4) ? 'GOOD' : 'bad'} ${index}`,
    passed: index % 2 === 0,
  }),
).join('\n');

const PROMPTFOO = `
prompts: ['Echo {{text}}']
providers: [openai:chat:test-model]
tests:
  - { vars: { text: a }, assert: [{ type: contains, value: a }] }
  - { vars: { text: b }, assert: [{ type: moderation }] }
  - { vars: { text: c }, assert: [{ type: is-json }], metadata: { by: me } }
`;
const BUCKET = 'resource "aws_s3_bucket" "data" {\n  bucket = "data"\n}\n';
const GAME = ['--seed', '11', '--difficulty', 'easy', '--strategy', 'blitz'];
const SCORED = ['--red', 'side/scored_manifest.json', '--blue', 'found.json'];

/** In this order: later commands read what earlier ones have stored or written. */
const COMMANDS: readonly (readonly [string, ...string[]])[] = [
  ['validate', 'validate', 'scenarios/sample.yaml', 'broken.yaml', '--format', 'json'],
  ['chaos', 'chaos', 'tools.yaml', '-n', '2', '--doses', '0,0.5', '--json', '-q'],
  ['estimate', 'chaos', 'tools.yaml', '--estimate', '--json'],
  ['estimate', 'run', 'judged.yaml', '--estimate', '--json'],
  ['run', 'run', 'scenarios', '-n', '4', '--json', '-q'],
  ['run', 'run', 'judged.yaml', '-n', '2', '--json', '-q'],
  ['run', 'run', 'models.yaml', '--models', 'good,bad', '-n', '3', '--json', '-q'],
  ['run', 'run', 'scenarios', '-n', '4', '--against', 'latest~2', '--json', '-q'],
  ['run', 'report', '--json'],
  ['run', 'merge', 'parts', '--json', '-q'],
  ['history', 'report', '--history', '--json'],
  ['compare', 'compare', 'latest~4', 'latest~1', '--json'],
  ['plan', 'plan', 'scenarios', '--json'],
  ['reeval', 'reeval', 'latest', '--json', '-q'],
  ['mutate', 'mutate', 'latest', '--json', '-q'],
  ['trace', 'replay', 'latest', '--json'],
  ['import', 'import', 'chats.jsonl', '--dry-run', '--json', '-q'],
  ['migrate', 'import', 'promptfoo', 'promptfoo/promptfooconfig.yaml', '--out', 'moved', '--json'],
  ['calibrate', 'calibrate', 'labels.jsonl', '--rubric', 'rubric.yaml', '--json', '-q'],
  [
    'calibrate-judges',
    'calibrate',
    'labels.jsonl',
    '--rubric',
    'rubric.yaml',
    '--judges',
    'judges.yaml',
    '--json',
    '-q',
  ],
  [
    'calibrate-cascade',
    ...['calibrate', 'labels.jsonl', '--rubric', 'rubric.yaml', '--judges', 'judges.yaml'],
    ...['--cascade', '--agreement', '60%', '--json', '-q'],
  ],
  ['calibrate-forget', 'calibrate', '--forget', '--json'],
  ['calibrate-pairs', 'calibrate', 'pairs.jsonl', '--rubric', 'rubric.yaml', '--json', '-q'],
  ['run', 'run', 'paired.yaml', '-n', '2', '--json', '-q'],
  ['run', 'run', 'paired.yaml', '-n', '2', '--json', '-q'],
  ['rank', 'rank', 'latest', 'latest~1', '--rubric', 'rubric.yaml', '--json', '-q'],
  ['judge-check', 'judge-check', '--judge', 'kind', '--json', '-q'],
  ['adapters', 'adapters', '--json'],
  ['db-status', 'db', 'status', '--json'],
  ['db-migrate', 'db', 'migrate', '--json'],
  ['red', 'red', ...GAME, '--out', 'side', '--json'],
  ['template-use', 'red', '--template', 'own', '--dry-run', '--json'],
  ['blue', 'blue', 'side', '--out', 'found.json', '--json'],
  ['score', 'score', ...SCORED, '--json'],
  ['score', 'score', ...SCORED, '--blue', 'none.json', '--json'],
  ['game', 'game', ...GAME, '--json', '-q'],
  ['scan', 'scan', 'infra', '--json'],
  ['tasks', 'tasks', 'three-zone-network', '--json'],
  ['rules', 'rules', 's3', 'earlier', 'versions', '--json'],
  ['tools', 'tools', '--json'],
  ['experiment-estimate', 'experiment', 'e.yaml', '--estimate', '--json'],
  ['experiment-results', 'experiment', 'e.yaml', '--json', '-q'],
  ['experiment-list', 'experiment', '--list', '--json'],
  ['scorecard', 'bench-scanner', 'rules', '--tasks', '1', '--json', '-q'],
  ['db-prune', 'db', 'prune', '--older-than', '1d', '--dry-run', '--json'],
];

/** With a database that workers share. */
const SHARED_COMMANDS: typeof COMMANDS = [
  ['db-import', 'db', 'import', '.salvo/salvo.db', '--json', '-q'],
  ['db-status', 'db', 'status', '--json'],
];

let project: ProjectFixture;
let database: TestDatabase;
const printed: { kind: string; command: string; document: unknown }[] = [];

beforeAll(async () => {
  const kind = { tool_calls: [{ name: 'score_criteria', arguments: { task_done: { reasoning: 'Fine.', score: 1 } } }] };
  project = await projectFixture({
    'salvo.yaml': JSON.stringify({
      adapters: { house: { type: 'module', path: './judge.mjs' }, kind: { type: 'scripted', script: [kind] } },
      judge: { adapter: 'house', model: 'house-1', k: 1 },
      prices: { scripted: { input_per_million: 1, output_per_million: 2 } },
    }),
    'judge.mjs': JUDGE,
    'labels.jsonl': labels,
    'judges.yaml': JSON.stringify(['one', 'three'].map((name, at) => ({ name, model: 'house-1', k: 1 + 2 * at }))),
    'chats.jsonl': '{"messages": [{"role": "assistant", "content": "Hi."}], "passed": true, "mood": 1}\nnonsense\n',
    'rubric.yaml': JSON.stringify([{ name: 'correct', description: 'Is it right?' }]),
    'broken.yaml': 'name: broken\nprompt: 3\n',
    'scenarios/sample.yaml': sampleScenario({ script: variedScript() }),
    'scenarios/rows.yaml': sampleScenario({
      name: 'rows',
      data: [
        { name: 'a', answer: 'Done.' },
        { name: 'b', answer: 'No.' },
      ],
      prompt: '{{name}}',
      script: [{ content: '{{answer}}' }],
    }),
    'tools.yaml': sampleScenario({
      name: 'tools',
      tools: [{ name: 'look', mock_response: { at: 1 } }],
      script: [{ tool_calls: [{ name: 'look' }] }, done('Done.')],
      assertions: [{ type: 'recovers' }, { type: 'no_false_success', claim: 'Done', needs: { tool: 'look' } }],
    }),
    'judged.yaml': sampleScenario({
      name: 'judged',
      script: [done('GOOD')],
      assertions: [{ type: 'judge', criteria: [{ name: 'correct', description: 'Is it right?' }] }],
    }),
    'paired.yaml': sampleScenario({
      name: 'paired',
      data: [
        { name: 'a', answer: 'GOOD' },
        { name: 'b', answer: 'bad' },
      ],
      script: [done('{{answer}}')],
      assertions: [
        {
          type: 'judge',
          against: 'reference',
          reference: 'bad',
          criteria: [{ name: 'correct', description: 'Is it right?' }],
        },
      ],
    }),
    'pairs.jsonl': '{"prompt": "Say it.", "answer_a": "GOOD", "answer_b": "bad", "preferred": "a"}\n',
    'models.yaml': sampleScenario({
      name: 'models',
      script: { models: { good: [{ content: 'Done.' }], bad: [{ content: 'No.' }] } },
    }),
    'promptfoo/promptfooconfig.yaml': PROMPTFOO,
    'infra/main.tf': BUCKET,
    'own/main.tf': 'resource "aws_ebs_volume" "a" {\n  encrypted = true\n}\n',
    'none.json': '[]',
    'e.yaml': 'name: e\ntasks: { sample: 2 }\nblue: [rules]\n',
  });
  // Only the first of two parts: a note of the merged run says so.
  await runCli(['run', 'scenarios', '-n', '2', '--shard', '1/2', '--out', 'parts', '-q'], { cwd: project.root });
  database = await createDatabase();
  for (const command of COMMANDS) await print(command);
  for (const command of SHARED_COMMANDS) await print(command, { SALVO_DATABASE_URL: database.url });
  if (process.env.SALVO_WRITE_DOCUMENTS) await writeMissingFixtures();
});
afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function print([kind, ...words]: (typeof COMMANDS)[number], env: Record<string, string> = {}): Promise<void> {
  const { stdout, stderr } = await runCli(words, { cwd: project.root, env });
  const command = `salvo ${words.join(' ')}`;
  expect(stdout, `${command}: ${stderr}`).not.toBe('');
  printed.push({ kind, command, document: JSON.parse(stdout) });
}

const VERSIONS: Readonly<Record<string, number>> = { ...OWN_VERSIONS, ...ARENA_VERSIONS };

describe.each(Object.entries(VERSIONS))('a document of the kind %s', (kind, version) => {
  test('has its version and exactly the fields of its JSON Schema', async () => {
    const { stdout } = await runCli(['schema', kind], { cwd: project.root });
    const validate = new Ajv({ strict: false, allErrors: true }).compile(JSON.parse(stdout));
    const documents = printed.filter((each) => each.kind === kind);
    expect(documents.length).toBeGreaterThan(0);
    for (const { command, document } of documents) {
      expect(document, command).toHaveProperty('version', version);
      validate(document);
      expect({ command, errors: validate.errors ?? [] }).toEqual({ command, errors: [] });
    }
  });

  test('can be read as it was in every earlier version', async () => {
    const schema = await (isDocumentKind(kind) ? documentSchema(kind) : schemaOf(kind));
    const files = (await readdir(FIXTURES)).filter((file) => file.replace(/\.v\d+\.json$/, '') === kind);
    expect(files).toContain(`${kind}.v${version}.json`);
    for (const file of files) {
      const { error } = schema.safeParse(JSON.parse(await readFile(FIXTURES + file, 'utf8')));
      expect({ file, error }).toEqual({ file, error: undefined });
    }
  });
});

test('a merged run has the notes of its parts', () => {
  const merged = printed.find(({ command }) => command.startsWith('salvo merge'));
  expect(merged?.document).toMatchObject({ notes: [expect.stringContaining('The part of shard 2/2 is missing')] });
});

test('a run can be compared with one that was printed before documents had a version', async () => {
  const { version, ...before } = JSON.parse(await readFile(`${FIXTURES}run.v1.json`, 'utf8'));
  expect(version).toBe(1);
  expect(readResults(JSON.stringify(before), 'old.json').run_id).toBe(before.run_id);
  const newer = JSON.stringify({ ...before, version: 99 });
  expect(() => readResults(newer, 'new.json')).toThrow('written by a newer Salvo (version 99)');
});

test('the documentation names every kind', async () => {
  const text = await readFile(new URL('../../docs/running.md', import.meta.url), 'utf8');
  expect(Object.keys(VERSIONS).filter((kind) => !text.includes(`\`${kind}\``))).toEqual([]);
});

async function writeMissingFixtures(): Promise<void> {
  await mkdir(FIXTURES, { recursive: true });
  const present = new Set(await readdir(FIXTURES));
  for (const { kind, document } of printed) {
    const file = `${kind}.v${VERSIONS[kind]}.json`;
    if (present.has(file)) continue;
    present.add(file);
    const text = JSON.stringify(document, null, 2).replaceAll(project.root, '/project');
    await writeFile(FIXTURES + file, `${text}\n`);
  }
}
