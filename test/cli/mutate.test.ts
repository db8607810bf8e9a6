import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';
import { mutated, refundProject, refundScenario, STRONG_ASSERTIONS, survivingOperators } from './mutate-fixture.ts';

const { refund, order, errors, amount, ...others } = STRONG_ASSERTIONS;

describe('salvo mutate', () => {
  test('a suite without weaknesses notices everything, and fails nothing that is harmless', async () => {
    await using project = await refundProject();
    const { document, code } = await mutated(project, '--min-score', '95%');
    expect(document.survivors).toEqual([]);
    expect(document.score?.value).toBe(1);
    expect(document.strictness?.value).toBe(0);
    expect(code).toBe(0);
    const used = document.operators.filter((each) => each.noticed + each.accepted > 0).map(({ name }) => name);
    expect(used).toEqual([
      ...['call_dropped', 'lookup_dropped', 'call_repeated', 'call_moved', 'other_id', 'other_amount'],
      ...['call_after_error', 'failed_call_ignored', 'forbidden_call', 'result_denied', 'result_contradicted'],
      ...['claim_without_call', 'number_replaced', 'date_replaced', 'id_replaced', 'name_replaced', 'answer_cut'],
      ...['answer_empty', 'answer_refusal', 'answer_other_language', 'system_prompt_leaked', 'last_turn_missing'],
      ...['extra_read', 'reads_reordered', 'number_form', 'white_space', 'markdown', 'synonyms', 'politer'],
    ]);
    expect(document.assertions.filter(({ tried, noticed }) => tried && noticed === 0)).toEqual([]);
  });

  const weaknesses: [what: string, assertions: object, changes: Record<string, unknown>, survivors: string[]][] = [
    [
      'an assertion is missing',
      { order, errors, amount, ...others },
      {},
      ['call_repeated', 'other_amount', 'other_id'],
    ],
    [
      'a regular expression is too wide',
      { refund, order, errors, amount: { ...amount, pattern: '[0-9]' }, ...others },
      {},
      ['number_replaced'],
    ],
    [
      'nothing says that calls fail',
      { refund, order, amount, ...others },
      {},
      ['call_after_error', 'failed_call_ignored'],
    ],
    [
      'the threshold is too low',
      STRONG_ASSERTIONS,
      { threshold: 0.85 },
      ['number_replaced', 'forbidden_call', 'call_repeated'],
    ],
  ];
  test('finds every planted weakness', async () => {
    await using project = await refundProject();
    for (const [what, assertions, changes, survivors] of weaknesses) {
      await project.write('weak.yaml', refundScenario(assertions, changes));
      const { document, code } = await mutated(project, '--scenario', 'weak.yaml', '--min-score', '98%');
      expect(survivingOperators(document), what).toEqual(expect.arrayContaining(survivors));
      expect(code, what).toBe(1);
    }
  });

  test('shows what was changed, and an assertion that would notice it, which can be pasted', async () => {
    await using project = await refundProject({ order, errors, amount, ...others });
    const { document } = await mutated(project);
    const survivor = document.survivors.find(({ operator }) => operator === 'other_amount');
    expect(survivor?.diff).toMatch(/^- {2}calls issue_refund .*49\.9/m);
    expect(survivor?.diff).toMatch(/^\+ {2}calls issue_refund .*79\.9/m);
    expect(document.suggestions.map(({ assertion }) => assertion)).toContainEqual(
      expect.objectContaining({ tool: 'issue_refund', arguments: { payment_id: 'P-777', amount: 49.9 }, times: 1 }),
    );
    const pasted = refundScenario({ order, errors, amount, ...others }).replace(
      '"assertions":[',
      `"assertions":[${document.suggestions.map(({ assertion }) => `${JSON.stringify(assertion)},`).join('')}`,
    );
    await project.write('refund.yaml', pasted);
    const again = (await mutated(project)).document;
    expect(again.survivors).toEqual([]);
    expect(again.compared).toMatchObject({ mutation_id: document.mutation_id, new_survivors: [] });
    expect(again.compared?.gone_survivors).toContainEqual({ key: survivor?.key, now: 'noticed' });
    const { stdout } = await runCli(['mutate'], { cwd: project.root });
    expect(stdout).toContain('No agent was called.');
  });

  test('finds assertions that are too strict', async () => {
    const strict = {
      ...STRONG_ASSERTIONS,
      amount: { type: 'output_contains', value: '49.90 to Ada' },
      once: { type: 'tool_called', tool: 'lookup_order', times: 1 },
    };
    await using project = await refundProject(strict);
    const { document } = await mutated(project);
    expect(document.wrongly_failed.map(({ operator, failed_by }) => [operator, failed_by.map(({ id }) => id)])).toEqual(
      expect.arrayContaining([
        ['extra_read', ['once']],
        ['number_form', ['amount']],
      ]),
    );
    expect(document.strictness?.value).toBeGreaterThan(0);
  });

  test('is the same with the same seed, and draws every operator in turn', async () => {
    await using project = await refundProject({ amount });
    const few = async (seed: string) => (await mutated(project, '--max-mutants', '12', '--seed', seed)).document;
    const one = await few('3');
    const { mutation_id: _, created_at: __, compared: ___, ...rest } = one;
    expect(await few('3')).toMatchObject(rest);
    expect(one.mutants).toMatchObject({ tried: 12 });
    expect(
      one.operators.filter((each) => each.noticed + each.survived + each.accepted + each.wrongly_failed > 1),
    ).toEqual([]);
  });

  test('leaves out what the scenario ignores, and says why', async () => {
    const changes = { mutate: { ignore: { answer_other_language: 'Customers write German as well.' } } };
    await using project = await refundProject(STRONG_ASSERTIONS, changes);
    const { document } = await mutated(project);
    expect(document.scenarios[0]?.ignored).toEqual([
      { operator: 'answer_other_language', reason: 'Customers write German as well.' },
    ]);
    expect(document.operators.find(({ name }) => name === 'answer_other_language')?.noticed).toBe(0);
    expect((await runCli(['mutate'], { cwd: project.root })).stdout).toContain('Customers write German as well.');
  });

  test('suggests an assertion with a column for what differs from row to row', async () => {
    await using project = await projectFixture({
      'salvo.yaml': '',
      'agent.mjs': `
        export default async ({ messages, callTool }) => {
          const city = messages.at(-1).content.match(/in (\\w+)/)[1];
          const { celsius } = await callTool('get_weather', { city });
          return 'It has ' + celsius + ' degrees in ' + city + '.';
        };`,
      'weather.yaml': JSON.stringify({
        adapter: './agent.mjs',
        tools_seen: 'all',
        prompt: 'How warm is it in {{city}}?',
        data: [
          { city: 'Oslo', celsius: 18 },
          { city: 'Rome', celsius: 31 },
        ],
        tools: [
          {
            name: 'get_weather',
            effect: 'read',
            parameters: { type: 'object', properties: { city: { type: 'string' } } },
            mock_response: { celsius: '{{celsius}}' },
          },
        ],
        assertions: [{ type: 'tool_called', tool: 'get_weather' }],
        trials: 1,
      }),
    });
    await runCli(['run', 'weather.yaml', '-q'], { cwd: project.root });
    const { document } = await mutated(project);
    expect(document.suggestions.map(({ assertion }) => assertion)).toContainEqual(
      expect.objectContaining({ type: 'output_contains', value: '{{city}}' }),
    );
  });

  test('an unknown operator in a scenario is an error with a suggestion', async () => {
    await using project = await projectFixture({
      'a.yaml':
        'prompt: Hi\nscript: [{ content: Hi }]\nadapter: scripted\nassertions: []\nmutate:\n  ignore: { call_droped: no }\n',
    });
    const { code, stdout, stderr } = await runCli(['validate', 'a.yaml'], { cwd: project.root });
    expect(code).toBe(4);
    expect(stdout + stderr).toMatch(/a\.yaml:6:13.*call_droped/s);
    expect(stdout + stderr).toContain('call_dropped');
  });

  test('tools without an effect are left alone, and named', async () => {
    const tools = [
      { name: 'lookup_order', mock_response: 'A-1001' },
      { name: 'check_policy', mock_response: 'yes' },
      { name: 'issue_refund', mock_response: 'R-7751' },
    ];
    await using project = await refundProject({ amount }, { tools });
    const { document } = await mutated(project);
    expect(document.operators.find(({ name }) => name === 'call_dropped')?.skipped).toHaveLength(1);
    expect(document.scenarios[0]?.tools_without_effect).toEqual(['lookup_order', 'check_policy', 'issue_refund']);
  });

  test('without a trace that passed it says so, with exit code 4', async () => {
    await using project = await projectFixture({
      'a.yaml':
        'prompt: Hi\nscript: [{ content: Hi }]\nadapter: scripted\nassertions: [{ type: output_contains, value: Bye }]\n',
    });
    await runCli(['run', 'a.yaml', '-q'], { cwd: project.root });
    expect(await runCli(['mutate'], { cwd: project.root })).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringContaining('none of its 3 stored trials passed'),
    });
  });

  test('a conversation of one message has few mutants', async () => {
    await using project = await projectFixture({
      'a.yaml':
        'prompt: Hi\nscript: [{ content: Hi }]\nadapter: scripted\nassertions: [{ type: output_matches, pattern: "^Hi" }]\n',
    });
    await runCli(['run', 'a.yaml', '-q'], { cwd: project.root });
    const { document } = await mutated(project);
    expect(document.mutants).toMatchObject({ noticed: 2, survived: 0 });
  });

  test('a gate that mutants decide which were not scored cannot be said', async () => {
    const judge = { type: 'judge', criteria: [{ name: 'polite', description: 'Is polite.', weight: 1 }] };
    await using project = await refundProject({ amount });
    await project.write('judged.yaml', refundScenario({ amount, judge }));
    const { document, code } = await mutated(project, '--scenario', 'judged.yaml', '--min-score', '80%');
    expect(code).toBe(3);
    expect(document).toMatchObject({ judges: 'left_out', gate: { verdict: 'undecided' }, judge_cost_usd: 0 });
    expect(document.scenarios[0]?.judges_left_out).toEqual(['judge']);
    expect(document.survivors).toEqual([]);
    expect(document.mutants.unscored).toBeGreaterThan(0);
  });

  describe('judges', () => {
    const criteria = [{ name: 'right', description: 'The refund was made, and is reported truly.', binary: true }];
    const judge = { type: 'judge', judge_adapter: 'own', judge_model: 'own', k: 1, criteria };
    /** Sees nothing, or whether the answer has the right date. Counts how often it is asked. */
    const judging = (verdict: string) => `
      import { appendFileSync } from 'node:fs';
      export default {
        async sendTurn(messages) {
          appendFileSync(new URL('asked.txt', import.meta.url), 'x');
          const text = messages.at(-1).content;
          const right = { reasoning: 'So it is.', score: ${verdict} };
          return {
            content: null,
            tool_calls: [{ id: 'vote', name: 'score_criteria', arguments: { right } }],
            usage: { input_tokens: 1000, output_tokens: 0 },
            finish_reason: 'tool_calls',
            raw_response: null,
          };
        },
      };`;
    async function judgedProject(verdict: string) {
      const project = await refundProject(
        { judge },
        {},
        {
          'salvo.yaml':
            'default_adapter: scripted\nadapters: { own: { type: module, path: judge.ts } }\nprices: { own: { input_per_million: 10, output_per_million: 0 } }\n',
          'judge.ts': judging(verdict),
        },
      );
      const asked = async () => (await readFile(join(project.root, 'asked.txt'), 'utf8')).length;
      return { project, asked, [Symbol.asyncDispose]: () => project[Symbol.asyncDispose]() };
    }

    test('one that sees nothing is found, and one that looks is told from it', async () => {
      await using blind = await judgedProject('1');
      const found = (await mutated(blind.project, '--judge-mutants', '--min-score', '50%')).document;
      expect(found).toMatchObject({ judges: 'only', score: { value: 0 }, strictness: { value: 0 }, exit_code: 1 });
      expect(found.assertions).toMatchObject([{ type: 'judge', tried: true, noticed: 0 }]);
      expect(found.judge_cost_usd).toBeCloseTo(0.01 * (found.mutants.tried + found.traces.used));
      const again = (await mutated(blind.project, '--ask-judge', '--max-mutants', '5')).document;
      expect(again).toMatchObject({ judges: 'asked', score: { value: 0 } });
      await using seeing = await judgedProject('/arrives until 2026-05-20/.test(text) ? 1 : 0');
      const { document } = await mutated(seeing.project, '--judge-mutants');
      const [line] = document.assertions;
      expect(line?.operators.find(({ name }) => name === 'date_replaced')).toMatchObject({ missed: 0 });
      expect(line?.operators.find(({ name }) => name === 'system_prompt_leaked')).toMatchObject({ noticed: 0 });
    });

    test('are asked within the budget', async () => {
      await using blind = await judgedProject('1');
      const { document, code } = await mutated(
        blind.project,
        '--ask-judge',
        '--budget-usd',
        '0.05',
        '--min-score',
        '9%',
      );
      expect(document.judge_cost_usd).toBeLessThanOrEqual(0.05);
      expect(document.mutants.unscored).toBeGreaterThan(0);
      expect(document.stopped).toContain('budget of $0.05');
      expect(code).toBe(3);
      expect(await blind.asked()).toBeLessThanOrEqual(6);
    });

    test('that fail the original say nothing about its mutants', async () => {
      await using strict = await judgedProject('1');
      await strict.project.write('judge.ts', judging('0'));
      await strict.project.write('other.yaml', refundScenario({ judge: { ...judge, threshold: 0.9 } }));
      const result = await runCli(['mutate', '--ask-judge', '--scenario', 'other.yaml'], { cwd: strict.project.root });
      expect(result).toMatchObject({ code: 4, stderr: expect.stringContaining('fail the assertions of today') });
    });
  });
});
