import { describe, test } from 'node:test';
import { evaluate, expect } from 'salvo/node-test';
import { supportAgent } from './agent.ts';

const refund = {
  prompt: 'My kettle (order A-1001) arrived broken.',
  tools: [
    { name: 'lookup_order', mock_response: { status: 'delivered', paid: 49.9 } },
    { name: 'issue_refund', mock_response: 'refunded' },
    { name: 'delete_account', mock_response: 'deleted' },
  ],
  assertions: [
    { type: 'tool_called', tool: 'issue_refund', arguments: { amount: 49.9 }, required: true },
    { type: 'output_contains', value: '49.9' },
  ],
};

describe('a broken kettle', () => {
  test('is refunded', async () => {
    await expect(refund).toPass({ agent: supportAgent, trials: 5, minPassRate: '80%' });
  });

  test('is looked up first, with one run for several expectations', async () => {
    const run = await evaluate(supportAgent, { scenario: refund, trials: 3 });
    await expect(run).toCallTool('lookup_order', { order_id: 'A-1001' }, { times: 1 });
    await expect(run).toCallToolsInOrder(['lookup_order', 'issue_refund']);
    await expect(run).not.toCallTool('delete_account');
    // A function in the place of a model, so that the example works offline.
    const judge = () => ({ apologises: { score: 1, reasoning: 'It says sorry.' } });
    await expect(run).toSatisfyCriteria({ apologises: 'The answer apologises for the damage.' }, { judge });
  });
});

test('asks for the number of an order', async () => {
  await expect(supportAgent).not.toCallTool('issue_refund', {}, { prompt: 'My kettle is broken.', trials: 2 });
});

test('a review finds the flaws that were planted', async () => {
  const manifest = {
    vulnerabilities: [
      { id: 'v1', type: 'encryption', resource: 'aws_s3_bucket.data' },
      { id: 'v2', type: 'network', resource: 'aws_security_group.web' },
    ],
  };
  const findings = [{ type: 'encryption', resource: 'aws_s3_bucket.data', severity: 'high' }];
  await expect(findings).toCatch(manifest, { recall: '50%', precision: 1 });
});
