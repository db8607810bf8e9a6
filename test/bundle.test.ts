import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '..');

/** An app for each public entry: what it does with it, and what it must print. */
const APPS = [
  {
    entry: 'salvo/match',
    source: `
      import { JudgeAgent } from 'salvo/match';
      const vulnerabilities = [
        { vuln_id: 'V1', type: 'public_bucket', resource: 'aws_s3_bucket.logs', description: 'The bucket is public.' },
        { vuln_id: 'V2', type: 'unencrypted_volume', resource: 'aws_ebs_volume.data', description: 'Not encrypted.' },
      ];
      const findings = [
        { finding_id: 'F1', type: 'public_bucket', resource: 'aws_s3_bucket.logs', description: 'A public bucket.' },
      ];
      for (const matcher of ['documented', 'evidence']) {
        const { recall, precision } = new JudgeAgent({ matcher }).score({ vulnerabilities }, findings);
        console.log(matcher, recall, precision);
      }`,
    prints: ['documented 0.5 1', 'evidence 0.5 1'],
  },
  {
    entry: 'salvo/judge',
    source: `
      import { judgeTrace, loadCanaries, traceSchema } from 'salvo/judge';
      const trace = traceSchema.parse({
        messages: [{ role: 'user', content: 'Greet me.' }, { role: 'assistant', content: 'Hello!', tool_calls: [] }],
        tool_calls_made: [], turn_count: 1, input_tokens: 10, output_tokens: 5, total_tokens: 15,
        latency_seconds: 1, final_content: 'Hello!', finish_reason: 'stop', model: 'm', provider: 'p',
        timestamp: '2026-01-01T00:00:00.000Z', scenario_hash: 'h', cost_usd: 0, max_turns_hit: false, tool_errors: [],
      });
      const vote = { name: 'submit_scores', arguments: { polite: { score: 0.9, reasoning: 'It greets.' } } };
      const models = {
        providerName: () => 'fake', fingerprint: () => null, close: async () => {},
        call: async ({ tools }) => ({
          result: { content: null, usage: null, finish_reason: 'tool_calls', raw_response: null,
            tool_calls: [{ ...vote, id: 'c1', name: tools[0].name }] },
          cost_usd: 0, latency_seconds: 0, requests: 1,
        }),
      };
      const { score, passed } = await judgeTrace({
        trace, models, k: 3, threshold: 0.5, temperature: 0, maxTokens: 500,
        criteria: [{ name: 'polite', description: 'The answer is polite.', weight: 1 }],
        judges: [{ adapter: 'fake', model: 'fake', weight: 1 }],
      });
      console.log(score, passed, loadCanaries().length > 0);`,
    prints: ['0.9 true true'],
  },
  {
    entry: 'salvo/arena',
    source: `
      import { createBlueTeamAgent, createRedTeamAgent } from 'salvo/arena';
      for (const language of ['terraform', 'cloudformation']) {
        const red = await createRedTeamAgent().generate({ task: 'tamper-proof-archive', seed: 1, language });
        const { findings } = await createBlueTeamAgent().analyze({ files: red.files });
        console.log(language, red.vulnerabilities.length > 0, findings.length > 0);
      }`,
    prints: ['terraform true true', 'cloudformation true true'],
  },
  {
    // JSON Schema, regular expressions, JMESPath and the provider each need a library that is loaded when first used.
    entry: 'salvo',
    source: `
      import { writeFileSync } from 'node:fs';
      import { createServer } from 'node:http';
      import { runFiles } from 'salvo';
      writeFileSync('number.yaml', JSON.stringify({
        name: 'number', prompt: 'A number, please.', adapter: 'scripted', model: 'none', threshold: 1,
        assertions: [
          { type: 'output_json', schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } },
          { path: 'response.content', regex: '[0-9]+' },
        ],
        script: { variants: [{ weight: 1, turns: [{ content: '{"n":42}' }] }] },
      }));
      const answer = { choices: [{ message: { content: '{"n":7}' }, finish_reason: 'stop' }] };
      const server = createServer((_, response) => response.end(JSON.stringify(answer)));
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      const env = { OPENAI_BASE_URL: \`http://127.0.0.1:\${server.address().port}/v1\` };
      for (const adapter of ['scripted', 'openai']) {
        await using finished = await runFiles({ files: ['number.yaml'], trials: 1, adapter, env });
        console.log(adapter, finished.outcome.verdict);
      }
      server.close();`,
    prints: ['scripted PASS', 'openai PASS'],
  },
];

describe('an app that bundles everything and runs where no package is installed', () => {
  let dir: string;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'salvo-bundle-'));
    await run(process.execPath, ['scripts/build.ts', join(dir, 'dist')], { cwd: ROOT });
  }, 240_000);

  afterAll(() => rm(dir, { recursive: true, force: true }));

  it.each(APPS)('can use $entry', { timeout: 120_000 }, async ({ entry, source, prints }) => {
    const app = join(dir, entry.replace('/', '-'));
    const elsewhere = `${app}-elsewhere`;
    await mkdir(app);
    await writeFile(join(app, 'app.js'), source);
    await bundle(join(app, 'app.js'), join(app, 'out'));
    await cp(join(app, 'out'), elsewhere, { recursive: true });
    await writeFile(join(elsewhere, 'package.json'), '{ "type": "module" }');

    const { stdout } = await run(process.execPath, [join(elsewhere, 'app.js')], { cwd: elsewhere, env: {} });

    expect(stdout.trim().split('\n')).toEqual(prints);
  });

  async function bundle(input: string, out: string): Promise<void> {
    const build = await rolldown({
      input,
      platform: 'node',
      logLevel: 'silent',
      resolve: {
        modules: [join(ROOT, 'node_modules')],
        alias: Object.fromEntries(
          APPS.map(({ entry }) => [`${entry}$`, join(dir, 'dist', `${entry.split('/')[1] ?? 'index'}.js`)]),
        ),
      },
    });
    await build.write({ dir: out, format: 'esm' });
    await build.close();
    expect(await readdir(out)).toContain('app.js');
  }
});
