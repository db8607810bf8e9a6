/** An app for each public entry: what it does with it, and what it must print. */
export const BUNDLED_APPS = [
  {
    entry: 'salvo-arena/match',
    source: `
      import { JudgeAgent } from 'salvo-arena/match';
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
      import { traceFrom } from 'salvo';
      import { judgeTrace, loadCanaries } from 'salvo/judge';
      const { score, passed } = await judgeTrace({
        trace: traceFrom({ task: 'Greet me.', response: 'Hello!' }),
        criteria: [{ name: 'polite', description: 'The answer is polite.' }],
        judge: () => ({ polite: { score: 0.9, reasoning: 'It greets.' } }),
      });
      console.log(score, passed, loadCanaries().length > 0);`,
    prints: ['0.9 true true'],
  },
  {
    entry: 'salvo-arena',
    source: `
      import { createBlueTeamAgent, createRedTeamAgent } from 'salvo-arena';
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
