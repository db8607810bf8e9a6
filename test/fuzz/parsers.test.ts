import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { parseAgentReply } from '../../packages/salvo/src/adapters/agent/agent-reply.ts';
import { readLabels } from '../../packages/salvo/src/judge/calibration/calibration-labels.ts';
import { readVote } from '../../packages/salvo/src/models/scoring/read-vote.ts';
import { inspectProject } from '../../packages/salvo/src/scenario/load-project.ts';
import { inspectScenario } from '../../packages/salvo/src/scenario/load-scenario.ts';
import { decoder } from '../../packages/salvo/src/store/documents/document-codec.ts';
import { SalvoError } from '../../packages/salvo/src/text/errors/salvo-error.ts';
import { loadExperiment } from '../../packages/salvo-arena/src/experiment/plan/load-experiment.ts';
import { parseCode } from '../../packages/salvo-arena/src/iac/syntax/parse-code.ts';
import { readFindings } from '../../packages/salvo-arena/src/match/read-findings.ts';
import { readManifest } from '../../packages/salvo-arena/src/match/read-manifest.ts';
import { projectFixture } from '../project-fixture.ts';
import { tried } from '../thorough.ts';
import { damagedText } from './damaged-text.ts';

// Every parser of outside data, with 3,000 damaged documents each (300 in `npm test`), others in every run: it reads them, or refuses them with an error that is
// meant for the user. fast-check prints the seed and the smallest document of a failure.

const CASES = { numRuns: tried(3_000) };
const REPORTS = [
  'checkov',
  'trivy',
  'tfsec',
  'semgrep',
  'snyk',
  'kics',
  'terrascan',
  'cfn-guard',
  'cdk-nag',
  'sarif',
  'findings',
];
const SCENARIO = `name: refund
adapter: scripted
messages: [{role: user, content: hi}]
tools: &tools
  - name: lookup
    parameters: {type: object, properties: {id: {type: integer}}}
    mock_responses: [{when: "id == \`1\`", respond: {status: ok}}]
script: [{tool_calls: [{name: lookup, arguments: {id: 1}}]}, {content: done}]
assertions:
  - {path: response.content, contains: done}
  - {type: tool_called, tool: lookup, times: {min: 1}}
`;
const PROJECT = `default_adapter: local
concurrency: 4
budget_usd: 5
min_pass_rate: 90%
adapters: {local: {type: openai, base_url: "http://localhost/v1"}, s: {type: scripted, script: [{content: a}]}}
prices: {m: {input: 1, output: 2}}
judge: {model: m, k: 3}
recording: {mode: full, custom_redaction_patterns: ["a+"]}
`;
const LABELS = `{"response": "a", "labels": {"polite": 0.5}, "passed": true}
{"trace": {"messages": [{"role": "user", "content": "hi"}]}, "task": "t", "passed": false}
`;
const TERRAFORM = `variable "open" { default = true }
resource "aws_s3_bucket" "data" {
  bucket = "\${var.open ? "a" : "b"}-data" # note
  tags   = { for k, v in { a = 1 } : k => v }
  policy = <<EOT
{"Statement": [{"Effect": "Allow"}]}
EOT
}
`;
const TEMPLATE = `AWSTemplateFormatVersion: "2010-09-09"
Parameters: {Name: {Type: String, Default: x}}
Resources:
  Data:
    Type: AWS::S3::Bucket
    Properties: {BucketName: !Sub "\${Name}-data", Tags: [{Key: a, Value: !Ref Name}]}
`;
const REPLIES = [
  '{"content": "done", "tool_calls": [{"id": "1", "name": "f", "arguments": {"a": 1}}], "usage": {"input_tokens": 1}}',
  '{"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "done"}], "cost_usd": 0.1}',
  '[{"role": "assistant", "content": [{"type": "text", "text": "a"}]}]',
  '{"trace": {"input": "hi", "output": "done"}, "observations": [{"id": "g", "type": "GENERATION", "traceId": "t", "startTime": "2026-01-01T00:00:00Z", "input": [{"role": "user", "content": "hi"}], "output": "done", "usageDetails": {"input": 1, "output": 2}}, {"id": "x", "type": "TOOL", "traceId": "t", "startTime": "2026-01-01T00:00:01Z", "name": "f", "input": {"a": 1}, "output": "b", "parentObservationId": "g"}]}',
  '{"run_type": "chain", "inputs": {"q": "hi"}, "outputs": {"a": "done"}, "child_runs": [{"run_type": "llm", "inputs": {"messages": [[{"role": "user", "content": "hi"}]]}, "outputs": {"generations": [[{"text": "done"}]]}}]}',
  '{"steps": [{"text": "a", "toolCalls": [{"payload": {"toolCallId": "1", "toolName": "f", "args": {}}}], "toolResults": []}], "messages": [{"role": "user", "content": {"format": 2, "parts": [{"type": "text", "text": "hi"}]}}]}',
];
const VOTE =
  'Scores: ```json\n{"accuracy": {"score": 0.5, "reasoning": "a"}, "tone": {"score": 1, "reasoning": "b"}}\n```';
const STORED = '{"id": "a", "score": 0.5, "notes": ["x"], "nested": {"n": null}}';

const fixture = await projectFixture();
afterAll(() => fixture[Symbol.asyncDispose]());
const project = await fixture.project();

/** Whatever it returns is fine, and whatever it throws is meant for the user. */
function readsOrRefuses(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof SalvoError)) throw error;
    expect(error.message).not.toBe('');
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const report = (name: string) => readFileSync(new URL(`../fixtures/reports/${name}.json`, import.meta.url), 'utf8');

const file = fixture.path('a.yaml');
/** Some file systems wait for the disk when a file is overwritten, but not for a new one. */
const writeNew = (path: string, text: string) => {
  rmSync(path, { force: true });
  writeFileSync(path, text);
};
const writing = (read: () => unknown) => (text: string) => {
  writeNew(file, text);
  return read();
};
const decode = decoder('store.db', () => 'x');
const storedSchema = z.object({ id: z.string(), score: z.number(), notes: z.array(z.string()) });

test.for<[what: string, samples: string[], read: (text: string) => unknown]>([
  ['a scenario', [SCENARIO], writing(() => inspectScenario({ file, project }))],
  [
    'an experiment',
    [readFileSync('examples/experiment/experiment.yaml', 'utf8')],
    writing(() => loadExperiment({ file, project })),
  ],
  ['a manifest', [report('manifest')], (text) => readManifest(text)],
  ['findings of every tool', REPORTS.map(report), (text) => readFindings(text)],
  ['labels', [LABELS], (text) => readLabels(text, { file: 'labels.jsonl' })],
  [
    'an agent’s reply',
    REPLIES,
    (text) => parseAgentReply(parsed(text), { callee: 'The agent', request: 1, asked: [] }),
  ],
  [
    'a judge’s answer',
    [VOTE],
    (text) =>
      readVote(
        { content: text, tool_calls: [], finish_reason: 'stop' },
        { criteria: [{ name: 'accuracy' }, { name: 'tone' }], material: text.slice(0, 50) },
      ),
  ],
  ['a stored document', [STORED], (text) => decode('a trial', storedSchema, text)],
])('%s', { timeout: 300_000 }, ([, samples, read]) => {
  fc.assert(
    fc.property(damagedText(samples), (text) => readsOrRefuses(() => read(text))),
    CASES,
  );
});

test('salvo.yaml', { timeout: 300_000 }, async () => {
  await using folder = await projectFixture();
  const settings = folder.path('salvo.yaml');
  await fc.assert(
    fc.asyncProperty(damagedText([PROJECT]), async (text) => {
      writeNew(settings, text);
      const { diagnostics } = await inspectProject(folder.root);
      expect(diagnostics.every(({ line, column }) => line >= 1 && column >= 1)).toBe(true);
    }),
    CASES,
  );
});

test.for([
  ['Terraform', 'main.tf', TERRAFORM],
  ['CloudFormation', 'template.yaml', TEMPLATE],
] as const)('%s', { timeout: 300_000 }, async ([, name, sample]) => {
  await fc.assert(
    fc.asyncProperty(damagedText([sample]), async (text) => {
      await parseCode({ [name]: text });
    }),
    CASES,
  );
});
