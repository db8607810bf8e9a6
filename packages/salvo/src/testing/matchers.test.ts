import { describe, expect, it } from 'vitest';
import type { AgentTask } from '../adapters/agent/agent-function.ts';
import { defineScenario } from '../scenario/code/define-scenario.ts';
import { UnscoredError } from './unscored-error.ts';
import { evaluate } from './vitest.ts';

const tools = [
  { name: 'lookup_order', mock_response: { paid: 49.9 } },
  { name: 'issue_refund', mock_response: 'done' },
];
const task = { prompt: 'My kettle (order A-1001) arrived broken.', tools };

/** Refunds 20 in the first trial, and 49.9 in the others. */
async function agent({ callTool, trialNumber }: AgentTask): Promise<string> {
  await callTool('lookup_order', { order_id: 'A-1001' });
  await callTool('issue_refund', { order_id: 'A-1001', amount: trialNumber === 1 ? 20 : 49.9 });
  return `Refunded. My key is sk-ant-api03-${'abcdefghij'.repeat(4)}.`;
}

const options = { scenario: task, store: false, trials: 4 };

async function failureOf(checking: Promise<void>): Promise<Error> {
  const failure: unknown = await checking.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof Error)) throw new Error('The matcher holds.');
  return failure;
}

describe('a matcher of trials', () => {
  it('holds if the share of trials that is demanded does it', async () => {
    const run = await evaluate(agent, options);
    await expect(run).toCallTool('issue_refund');
    await expect(run).toCallTool('issue_refund', { amount: 49.9 }, { minPassRate: '75%' });
    await expect(run).toCallTool('lookup_order', "order_id == 'A-1001'", { times: 1 });
    await expect(run).toCallToolsInOrder(['lookup_order', 'issue_refund'], { exact: true });
    await expect(run).toCallToolsInOrder([
      'lookup_order',
      { tool: 'issue_refund', arguments: { amount: { $near: 35, $tolerance: 15 } } },
    ]);
    await expect(run).not.toCallToolsInOrder([{ tool: 'issue_refund', arguments: { amount: 1 } }]);
    await expect(run).not.toCallTool('cancel_order');
    await expect(run).not.toCallToolsInOrder(['issue_refund', 'lookup_order']);
  });

  it('says which trials failed and why, with the conversation and the difference, without secrets', async () => {
    const run = await evaluate(agent, options);
    const failure = await failureOf(expect(run).toCallTool('issue_refund', { amount: 49.9 }));
    expect(failure.message).toBe(
      [
        'Expected every trial to call "issue_refund" with {"amount":49.9}, but only 3 of 4 did.',
        '',
        'Trial 1: "issue_refund" was called 0 times with {"amount":49.9}, expected at least once; its calls: {"amount":20,"order_id":"A-1001"}',
        '  user: My kettle (order A-1001) arrived broken.',
        '  agent calls lookup_order {"order_id":"A-1001"}',
        '  lookup_order answered: {"paid":49.9}',
        '  agent calls issue_refund {"order_id":"A-1001","amount":20}',
        '  issue_refund answered: done',
        '  agent: Refunded. My key is [REDACTED:api_key].',
      ].join('\n'),
    );
    expect(failure).toMatchObject({
      expected: [{ tool: 'issue_refund', arguments: { amount: 49.9 } }],
      actual: [{ tool: 'issue_refund', arguments: { amount: 20 } }],
    });
  });

  it('and its .not both fail if some trials do it and others do not', async () => {
    const run = await evaluate(agent, options);
    await failureOf(expect(run).toCallTool('issue_refund', { amount: 20 }));
    const { message } = await failureOf(expect(run).not.toCallTool('issue_refund', { amount: 20 }));
    expect(message).toMatch(/^Expected no trial to call "issue_refund" with \{"amount":20\}, but 1 of 4 did\./);
  });

  it('fails for an agent that crashes, also with .not', async () => {
    const run = await evaluate(
      () => {
        throw new TypeError('no kettle');
      },
      { prompt: 'Hi', store: false, trials: 2 },
    );
    const { message } = await failureOf(expect(run).not.toCallTool('issue_refund'));
    expect(message).toMatch(/^Trials 1, 2: the agent crashed: .*no kettle$/m);
    await failureOf(expect(run).toCallTool('issue_refund'));
  });
});

describe('toPass', () => {
  const scenario = {
    ...task,
    assertions: [{ type: 'tool_called', tool: 'issue_refund', arguments: { amount: 49.9 } }],
  };

  it('is the verdict of the scenario, or that by another minPassRate', async () => {
    const run = await evaluate(scenario, { agent, store: false, trials: 4 });
    const { message } = await failureOf(expect(run).toPass());
    expect(message).toMatch(
      /^Expected every trial to pass, but only 3 of 4 did\.\n\nTrial 1: tool_called:issue_refund/,
    );
    await expect(run).toPass({ minPassRate: 0.75 });
    await failureOf(expect(run).not.toPass());
    await expect(scenario).toPass({ agent, store: false, trials: 4, minPassRate: '75%' });
  });

  it('uses the agent and the checks of a scenario in code', async () => {
    const defined = defineScenario({
      ...task,
      agent: ({ trialNumber }) => `trial ${trialNumber}`,
      assertions: [{ id: 'is_first', check: ({ output }) => ({ passed: output === 'trial 1', details: output }) }],
    });
    await expect(defined).toPass({ store: false, trials: 2, minPassRate: 0.5 });
    const { message } = await failureOf(expect(defined).toPass({ store: false, trials: 2 }));
    expect(message).toMatch(/^Trial 2: is_first: trial 2$/m);
  });

  it('names a minimum of the score, and a required assertion', async () => {
    const low = await failureOf(
      expect(scenario).toPass({ agent, store: false, trials: 4, minPassRate: 0, minScore: 0.8 }),
    );
    expect(low.message).toMatch(/^Expected a mean score of at least 0\.80?, but it is 0\.75\./);
    const required = { ...scenario, assertions: scenario.assertions.map((each) => ({ ...each, required: true })) };
    const hard = await failureOf(expect(required).toPass({ agent, store: false, trials: 4, minPassRate: 0 }));
    expect(hard.message).toMatch(/^A required assertion failed in 1 of 4 trials\./);
  });
});

describe('what could not be scored', () => {
  it('is an UnscoredError, also with .not', async () => {
    const run = await evaluate(agent, options);
    const nonsense = { judge: () => 'no scores', k: 1 };
    for (const failure of [
      await failureOf(expect(run).toPass()),
      await failureOf(expect(run).not.toPass()),
      await failureOf(expect(run).toSatisfyCriteria({ polite: 'It is polite.' }, nonsense)),
      await failureOf(expect(run).not.toSatisfyCriteria({ polite: 'It is polite.' }, nonsense)),
    ]) {
      expect(failure).toBeInstanceOf(UnscoredError);
      expect(failure.message).toMatch(/^Could not be scored: trials 1, 2, 3, 4: /);
    }
  });
});

describe('toSatisfyCriteria', () => {
  it('fails with what the judge says about the criteria that were missed', async () => {
    const run = await evaluate(agent, options);
    const judge = () => ({ polite: { score: 0.2, reasoning: 'It is rude.' }, short: { score: 1, reasoning: 'Yes.' } });
    const criteria = { polite: 'It is polite.', short: { description: 'It is short.', weight: 2 } };
    const { message } = await failureOf(expect(run).toSatisfyCriteria(criteria, { judge, k: 1 }));
    expect(message).toMatch(/^Expected every trial to satisfy polite and short, but none of 4 did\.$/m);
    expect(message).toMatch(/^Trial 1: polite 0\.20: It is rude\.$/m);
    await expect(run).toSatisfyCriteria({ short: 'It is short.' }, { judge: () => ({ short: 1 }), k: 1 });
  });
});

describe('toCatch', () => {
  const manifest = {
    vulnerabilities: [
      { id: 'v1', type: 'encryption', resource: 'aws_s3_bucket.data' },
      { id: 'v2', type: 'network', resource: 'aws_security_group.web', severity: 'high', description: 'Open to all.' },
    ],
  };
  const first = { type: 'encryption', resource: 'aws_s3_bucket.data' };
  const alarm = { type: 'iam', resource: 'aws_iam_role.other', file: 'main.tf', line: 3 };

  it('demands every flaw, unless it has a minimum', async () => {
    await expect([first]).toCatch(manifest, { recall: '50%', precision: 1 });
    await expect(JSON.stringify({ findings: [first] })).toCatch(JSON.stringify(manifest), { f1: 0.6 });
    await expect({ findings: [alarm] }).not.toCatch(manifest);
    const failure = await failureOf(expect([first, alarm]).toCatch(manifest));
    expect(failure.message).toBe(
      [
        'Expected the findings to catch every flaw of the manifest, but recall 0.500 is below 1.',
        '',
        'Evaded (1 of 2):\n  v2: high network on aws_security_group.web: Open to all.',
        '',
        'False alarms (1 of 2):\n  finding 1: main.tf:3 iam on aws_iam_role.other',
      ].join('\n'),
    );
    expect(failure).toMatchObject({ expected: ['v1', 'v2'], actual: ['v1'] });
    expect((await failureOf(expect([first]).not.toCatch(manifest))).message).toMatch(
      /but 1 of 2 were\.[\s\S]*v1 by finding 0/,
    );
  });

  it('looks for the findings of an agent in its answers', async () => {
    const reviewer = ({ trialNumber }: AgentTask) => (trialNumber === 1 ? JSON.stringify([first]) : 'All is well.');
    const run = await evaluate(reviewer, { prompt: 'Review it.', store: false, trials: 2 });
    await expect(run).toCatch(manifest, { recall: 0.5, minPassRate: '50%' });
    const { message } = await failureOf(expect(run).toCatch(manifest, { recall: 0.5 }));
    expect(message).toMatch(
      /^Expected every trial to catch at least 50% of the flaws of the manifest, but only 1 of 2 did\./,
    );
  });

  it('has no outcome if there is nothing to find, and refuses what it cannot read', async () => {
    expect(await failureOf(expect([]).toCatch({ vulnerabilities: [] }))).toBeInstanceOf(UnscoredError);
    expect(await failureOf(expect([]).not.toCatch({ vulnerabilities: [] }))).toBeInstanceOf(UnscoredError);
    expect(await failureOf(expect('missing.json').toCatch(manifest))).toMatchObject({
      code: 'FILE_UNREADABLE',
      message: 'packages/salvo/src/testing/missing.json cannot be read: there is no such file.',
    });
    expect(await failureOf(expect([first]).toCatch('{"findings": ['))).toMatchObject({ code: 'MANIFEST_INVALID' });
  });
});

describe('wrong input', () => {
  it('is refused before anything is run', async () => {
    let calls = 0;
    const counted = () => {
      calls += 1;
      return 'Hello.';
    };
    const refused = [
      () => expect(5).toPass(),
      () => expect(counted).toPass(),
      () => expect(counted).toPass({ prompt: 'Hi', agent: counted }),
      () => expect(task).toPass({ prompt: 'Hi', agent: counted }),
      () => expect(counted).toPass({ prompt: 'Hi', minPassRate: 'most' }),
      () => expect(counted).toPass({ prompt: 'Hi', trials: 0 }),
      () => expect(counted).not.toCallTool('x', {}, { prompt: 'Hi', minPassRate: 0.5 }),
      () => expect(counted).toCallTool('', {}, { prompt: 'Hi' }),
      () => expect(counted).toCallToolsInOrder([], { prompt: 'Hi' }),
      () => expect(counted).toSatisfyCriteria({}, { prompt: 'Hi' }),
      () => expect(counted).not.toCatch([{ id: 'v1' }], { prompt: 'Hi', recall: 0.5 }),
      // @ts-expect-error The name of a tool is a text.
      () => expect(counted).toCallTool(7, {}, { prompt: 'Hi' }),
      // @ts-expect-error There is no such option.
      () => expect(counted).toPass({ prompt: 'Hi', trails: 3, minPassRate: 2 }),
    ];
    for (const check of refused) {
      expect(await failureOf(check())).toMatchObject({
        code: expect.stringMatching(/^(?:OPTIONS_INVALID|TEST_SUBJECT_INVALID)$/),
      });
    }
    expect(calls).toBe(0);
  });

  it('includes options that come after the run', async () => {
    const run = await evaluate(agent, options);
    const { message } = await failureOf(expect(run).toCallTool('lookup_order', {}, { trials: 9, seed: 1 }));
    expect(message).toBe('This has been run already, so trials, seed can change nothing. Give it to evaluate().');
  });
});
