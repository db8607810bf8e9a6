import { describe, expect, it } from 'vitest';
import { type FakeAnswer, fakeModels } from '../../../../../test/fake-models.ts';
import { AdapterError } from '../../../../salvo/src/adapters/adapter-error.ts';
import type { ModelCall } from '../../../../salvo/src/models/call/model-caller.ts';
import {
  FALSE_ENTRIES,
  GOOD_CHOICE,
  GOOD_CODE,
  GOOD_PLAN,
  RED_REQUEST,
} from '../../../test/arena-red-llm/red-answers.ts';
import { checkManifest } from '../../gate/check-manifest.ts';
import { RedTeamError } from '../red-team-error.ts';
import { createLlmRed, type LlmRedOptions } from './llm-red.ts';

/** Answers in their order; the tool is the one that was asked for. */
function redWith(answers: (FakeAnswer | Error)[], options: Partial<LlmRedOptions> = {}) {
  const left = [...answers];
  const models = fakeModels(() => {
    const answer = left.shift();
    if (answer === undefined) throw new Error('unexpected call');
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return { models, red: createLlmRed({ models, adapter: 'a', model: 'm', ...options }) };
}

const handsIn = (args: Record<string, unknown>, name = 'hand_in_code'): FakeAnswer => ({
  tool_calls: [{ id: 'c1', name, arguments: args }],
  finish_reason: 'tool_calls',
});
const lastWords = (call: ModelCall | undefined) => JSON.stringify(call?.messages.at(-1)?.content);

describe('one agent', () => {
  it('gives code and manifest through a forced tool call', async () => {
    const { models, red } = redWith([handsIn(GOOD_CODE)]);
    const { files, vulnerabilities, metadata } = await red.generate(RED_REQUEST);
    expect(red.name).toBe('llm:m');
    expect(Object.keys(files)).toEqual(['main.tf', 'variables.tf']);
    expect(vulnerabilities).toMatchObject([
      { id: 'V1', resource: 'aws_db_instance.reports', source: 'catalogue', difficulty: 'medium' },
    ]);
    expect(metadata).toMatchObject({
      red: 'llm:m',
      proven: false,
      template: null,
      twin: null,
      model_calls: 1,
      input_tokens: 100,
      output_tokens: 20,
      cost_usd: 0.01,
      notes: [],
    });
    const [call] = models.calls;
    expect(call?.config.extras).toEqual({ tool_choice: { type: 'function', function: { name: 'hand_in_code' } } });
    expect(call?.tools.map(({ name }) => name)).toEqual(['hand_in_code']);
  });

  it('says what is wanted: the task, how many flaws, how well they are hidden, and from where', async () => {
    const { models, red } = redWith([handsIn(GOOD_CODE), handsIn(GOOD_CODE)], { source: 'novel' });
    await red.generate({
      ...RED_REQUEST,
      task: 'three-zone-network',
      strategy: 'targeted',
      category: 'logging',
      count: 2,
    });
    const said = lastWords(models.calls[0]);
    expect(said).toContain('Network across three zones');
    expect(said).toContain('Plant 2. All flaws are of one kind: logging.');
    expect(said).toContain("a variable's default or a local");
    expect(said).not.toContain('rds-storage-unencrypted');
    expect(said).not.toMatch(/\{\w+\}/);
  });

  it('offers the catalogue, the same part of it for the same seed', async () => {
    const said = async (seed: number) => {
      const { models, red } = redWith([handsIn(GOOD_CODE)], { source: 'mixed' });
      await red.generate({ ...RED_REQUEST, seed });
      return lastWords(models.calls[0]);
    };
    expect(await said(1)).toBe(await said(1));
    expect(await said(1)).not.toBe(await said(2));
    expect(await said(1)).toMatch(/- [a-z0-9-]+ \((?:low|medium|high|critical|info); aws_/);
  });
});

describe('an answer that cannot be used', () => {
  const useless: [string, FakeAnswer, RegExp][] = [
    ['no tool call and no JSON', { content: 'I would rather talk about it.' }, /neither called hand_in_code/],
    [
      'broken JSON',
      { tool_calls: [{ id: 'c', name: 'hand_in_code', arguments: {}, raw_arguments: '{"files": [' }] },
      /not a JSON object/,
    ],
    [
      'a cut-off answer',
      {
        tool_calls: [{ id: 'c', name: 'hand_in_code', arguments: {}, raw_arguments: '{"files": [{' }],
        finish_reason: 'length',
      },
      /cut off/,
    ],
    ['no files', handsIn({ ...GOOD_CODE, files: [] }), /no file in it/],
    ['files without content', handsIn({ ...GOOD_CODE, files: [{ name: 'main.tf', content: ' ' }] }), /no file in it/],
    ['no flaws', handsIn({ ...GOOD_CODE, vulnerabilities: [] }), /no flaw in it/],
    ['another tool', handsIn(GOOD_CODE, 'write_file'), /neither called hand_in_code/],
  ];

  it.each(useless)('is asked for again with what was wrong: %s', async (_, answer, reason) => {
    const { models, red } = redWith([answer, handsIn(GOOD_CODE)]);
    const { vulnerabilities, metadata } = await red.generate(RED_REQUEST);
    expect(vulnerabilities).toHaveLength(1);
    expect(lastWords(models.calls[1])).toMatch(reason);
    expect(metadata).toMatchObject({ model_calls: 2, input_tokens: 200, output_tokens: 40, cost_usd: 0.02 });
  });

  it.each(useless)('twice is an error that knows what it cost: %s', async (_, answer, reason) => {
    const { red } = redWith([answer, answer]);
    const error = await red.generate(RED_REQUEST).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RedTeamError);
    expect(error).toMatchObject({
      message: expect.stringMatching(reason),
      usage: { model_calls: 2, cost_usd: 0.02 },
    });
  });

  it('may still be JSON in the text', async () => {
    const { red } = redWith([{ content: `Here you are:\n\`\`\`json\n${JSON.stringify(GOOD_CODE)}\n\`\`\`` }]);
    expect((await red.generate(RED_REQUEST)).metadata.model_calls).toBe(1);
  });

  it('may have other names for its parts, and maps for lists', async () => {
    const files = Object.fromEntries(GOOD_CODE.files.map(({ name, content }) => [name, content]));
    const [entry] = GOOD_CODE.vulnerabilities;
    const { red } = redWith([
      handsIn({
        files,
        manifest: { vulnerabilities: [{ vuln_id: 'A', resource_name: entry?.resource }, { vuln_id: 'A' }] },
      }),
    ]);
    const made = await red.generate(RED_REQUEST);
    expect(Object.keys(made.files)).toEqual(['main.tf', 'variables.tf']);
    expect(made.vulnerabilities.map(({ id }) => id)).toEqual(['A', 'A#2']);
    expect(made.vulnerabilities[0]).toMatchObject({ resource: 'aws_db_instance.reports' });
  });
});

describe('a provider that fails', () => {
  it('is an error with the reason', async () => {
    const { red } = redWith([new AdapterError('auth', 'the key is not valid')]);
    await expect(red.generate(RED_REQUEST)).rejects.toThrow(RedTeamError);
    await expect(redWith([new AdapterError('auth', 'the key is not valid')]).red.generate(RED_REQUEST)).rejects.toThrow(
      /m could not be asked: the key is not valid/,
    );
  });

  it('is not blamed for an abort, whose reason is thrown', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const models = fakeModels(() => {
      stop.abort(reason);
      throw new AdapterError('aborted', 'aborted');
    });
    const red = createLlmRed({ models, adapter: 'a', model: 'm' });
    await expect(red.generate({ ...RED_REQUEST, signal: stop.signal })).rejects.toBe(reason);
    await expect(red.generate({ ...RED_REQUEST, signal: stop.signal })).rejects.toBe(reason);
    expect(models.calls).toHaveLength(1);
  });

  it('whose price is not known makes the sum unknown', async () => {
    const { red } = redWith([{ content: 'no' }, { ...handsIn(GOOD_CODE), price: null, usage: null }]);
    expect((await red.generate(RED_REQUEST)).metadata).toMatchObject({
      model_calls: 2,
      cost_usd: null,
      input_tokens: null,
    });
  });
});

describe('the pipeline', () => {
  const steps = [handsIn(GOOD_PLAN, 'hand_in_plan'), handsIn(GOOD_CHOICE, 'hand_in_flaws'), handsIn(GOOD_CODE)];

  it('plans, chooses, writes and reviews, each step with the results of the earlier ones', async () => {
    const reviewed = { ...GOOD_CODE, vulnerabilities: [{ ...GOOD_CODE.vulnerabilities[0], title: 'Reviewed' }] };
    const { models, red } = redWith([...steps, handsIn(reviewed)], { architecture: 'pipeline' });
    const { vulnerabilities, metadata } = await red.generate(RED_REQUEST);
    expect(models.calls.map(({ tools }) => tools[0]?.name)).toEqual([
      'hand_in_plan',
      'hand_in_flaws',
      'hand_in_code',
      'hand_in_code',
    ]);
    expect(models.calls.map(({ config }) => config.conversation?.request)).toEqual([0, 1, 2, 3]);
    expect(lastWords(models.calls[1])).toContain('Keeps the reports.');
    expect(lastWords(models.calls[2])).toContain('the default of a variable');
    expect(lastWords(models.calls[3])).toContain('storage_encrypted   = var.encrypt');
    for (const call of models.calls)
      expect(lastWords(call)).not.toMatch(/\{(?:tool|plan|flaws|code|scenario|source|catalogue)\}/);
    expect(vulnerabilities).toMatchObject([{ title: 'Reviewed' }]);
    expect(metadata).toMatchObject({ architecture: 'pipeline', model_calls: 4, cost_usd: 0.04, notes: [] });
  });

  it('keeps what the writer wrote when the reviewer fails', async () => {
    for (const failure of [[{ content: 'no' }, { content: 'no' }], [new AdapterError('timeout', 'too slow')]]) {
      const { red } = redWith([...steps, ...failure], { architecture: 'pipeline' });
      const { vulnerabilities, metadata } = await red.generate(RED_REQUEST);
      expect(vulnerabilities).toMatchObject([{ title: 'Unencrypted database' }]);
      expect(metadata).toMatchObject({ notes: [expect.stringMatching(/^not reviewed: /)] });
    }
  });

  it('fails with the first step that fails', async () => {
    const { red } = redWith([handsIn({ resources: [] }, 'hand_in_plan'), handsIn({}, 'hand_in_plan')], {
      architecture: 'pipeline',
    });
    await expect(red.generate(RED_REQUEST)).rejects.toThrow(/no `resources`/);
  });
});

describe('what the model wrote', () => {
  it('is made harmless: names stay inside the folder, and only code is kept', async () => {
    const [main] = GOOD_CODE.files;
    const content = main?.content ?? '';
    const names = [
      '../../etc/cron.d/main.tf',
      '/abs/other.tf',
      'C:\\x\\third.tf',
      '.ssh/fourth.tf',
      'run.sh',
      '__proto__',
    ];
    const { red } = redWith([handsIn({ ...GOOD_CODE, files: names.map((name) => ({ name, content })) })]);
    const { files, metadata } = await red.generate(RED_REQUEST);
    expect(Object.keys(files)).toEqual([
      'etc/cron.d/main.tf',
      'abs/other.tf',
      'x/third.tf',
      'ssh/fourth.tf',
      '__proto__.tf',
    ]);
    expect(metadata).toMatchObject({ notes: ['run.sh: left out, not a file of infrastructure code'] });
  });

  it('is an error when no file is left', async () => {
    const { red } = redWith([handsIn({ ...GOOD_CODE, files: [{ name: 'deploy.sh', content: 'terraform apply' }] })]);
    await expect(red.generate(RED_REQUEST)).rejects.toThrow(/"deploy.sh" is not a file of infrastructure code/);
  });

  it('reveals nothing in comments and file names, and every line keeps its number', async () => {
    const content =
      'resource "aws_sqs_queue" "q" {\n  # VULNERABLE: not encrypted\n  name = "q" # intentionally weak\n  # Jobs of the night.\n}\n';
    const entry = { id: 'V1', resource: 'aws_sqs_queue.q', file: 'insecure-queue.tf', line: 3 };
    const { red } = redWith([handsIn({ files: [{ name: 'insecure-queue.tf', content }], vulnerabilities: [entry] })]);
    const { files, vulnerabilities, metadata } = await red.generate(RED_REQUEST);
    expect(files).toEqual({
      'resources-1.tf': 'resource "aws_sqs_queue" "q" {\n\n  name = "q"\n  # Jobs of the night.\n}\n',
    });
    expect(vulnerabilities).toMatchObject([{ file: 'resources-1.tf', line: 3 }]);
    expect(metadata).toMatchObject({
      notes: ['insecure-queue.tf: 2 telling comment(s) taken out', 'insecure-queue.tf: renamed to resources-1.tf'],
    });
  });

  it('is a claim, and the gate lists what is wrong in it', async () => {
    const { red } = redWith([
      handsIn({ ...GOOD_CODE, vulnerabilities: [...GOOD_CODE.vulnerabilities, ...FALSE_ENTRIES] }),
    ]);
    const { files, vulnerabilities } = await red.generate(RED_REQUEST);
    const { entries } = await checkManifest({ files, vulnerabilities });
    expect(entries.map(({ status }) => status)).toEqual(['confirmed', 'phantom', 'phantom']);
  });
});
