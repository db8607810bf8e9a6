import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleTrace } from '../../../../test/sample-trace.ts';
import { ASSERTION_SCHEMAS } from '../../../salvo/src/scenario/schema/assertion-schema.ts';
import { evaluateFindings } from './findings.ts';

const MANIFEST = {
  vulnerabilities: [
    { id: 'v1', type: 'encryption', resource: 'aws_s3_bucket.data', severity: 'high' },
    { id: 'v2', type: 'access_control', resource: 'aws_s3_bucket.data' },
  ],
};
const FOUND = [
  { type: 'encryption', resource: 'aws_s3_bucket.data', severity: 'HIGH' },
  { type: 'network', resource: 'aws_security_group.web', severity: 'MEDIUM' },
];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'salvo-findings-'));
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(MANIFEST));
  await writeFile(join(folder, 'empty.json'), '[]');
  await writeFile(join(folder, 'broken.json'), '{"vulnerabilities": [');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function evaluate(answer: string, fields: Record<string, unknown> = {}) {
  const assertion = ASSERTION_SCHEMAS.findings.parse({ type: 'findings', manifest: 'manifest.json', ...fields });
  const context = { scenarioFile: join(folder, 'scenario.yaml') };
  return evaluateFindings(assertion, sampleTrace({ final_content: answer }), context);
}

describe('findings', () => {
  it('scores the F1 of the final answer, and says what was missed', async () => {
    const result = await evaluate(JSON.stringify(FOUND));
    expect(result.score).toBeCloseTo(0.5);
    expect(result.passed).toBe(false);
    expect(result.details).toBe('1 of 2 found, 1 false alarms; evaded: v2');
    expect(result.metadata).toMatchObject({ findings: { true_positives: 1, false_positives: 1, evaded: ['v2'] } });
  });

  it('reads a fenced answer with words around it', async () => {
    const answer = `Here is what I found:\n\n\`\`\`json\n${JSON.stringify({ findings: FOUND })}\n\`\`\`\nStay safe!`;
    expect((await evaluate(answer)).score).toBeCloseTo(0.5);
  });

  it.each([
    [{ min_recall: 0.5 }, true],
    [{ min_recall: 0.6 }, false],
    [{ min_precision: 0.5, min_f1: 0.5 }, true],
    [{ min_recall: 0.5, min_precision: 0.9 }, false],
  ])('passes when every minimum is met: %o', async (fields, passed) => {
    expect((await evaluate(JSON.stringify(FOUND), fields)).passed).toBe(passed);
  });

  it('scores by the chosen metric', async () => {
    const [first] = FOUND;
    expect((await evaluate(JSON.stringify([first]), { metric: 'precision' })).score).toBe(1);
    expect((await evaluate(JSON.stringify([first]), { metric: 'recall' })).score).toBe(0.5);
  });

  it('fails an answer without findings: the agent was to give some', async () => {
    for (const answer of ['', 'All is well.', '{"a": 1}', '[1]', '```json\n[{"type": "encr']) {
      const result = await evaluate(answer);
      expect(result, answer).toMatchObject({ score: 0, passed: false });
      expect(result.details, answer).not.toBe('');
    }
  });

  it('takes an empty list for what it is: nothing found', async () => {
    expect(await evaluate('[]')).toMatchObject({ score: 0, passed: false });
    expect(await evaluate('[]', { manifest: 'empty.json' })).toMatchObject({ score: 1, passed: true });
  });

  it('leaves the trial unscored when the manifest cannot be read', async () => {
    await expect(evaluate('[]', { manifest: 'none.json' })).rejects.toThrow(/none\.json cannot be read/);
    await expect(evaluate('[]', { manifest: 'broken.json' })).rejects.toThrow(/broken\.json/);
  });
});
