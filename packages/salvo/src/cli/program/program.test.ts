import { describe, expect, it } from 'vitest';
import { parseCommandLine as parse } from '../../../../../test/parse-command-line.ts';
import { loadCanaries } from '../../judge/canaries/canaries.ts';

describe('the command line', () => {
  it.each(['-v', '-V', '--version'])('prints the version for %s', async (flag) => {
    const { text, failure } = await parse([flag]);
    expect(text).toBe('9.9.9\n');
    expect(failure).toMatchObject({ exitCode: 0 });
  });

  it('calls one command with its options', async () => {
    const { called, exits } = await parse([
      'run',
      'a.yaml',
      'b',
      '-n',
      '20',
      '--tag',
      'x',
      '--tag',
      'y=1',
      '--seed',
      '7',
    ]);
    expect(called).toMatchObject([
      { command: 'run', options: { files: ['a.yaml', 'b'], trials: 20, tag: ['x', 'y=1'], seed: 7, earlyStop: false } },
    ]);
    expect(exits).toEqual([0]);
  });

  it('does not set options that were not given', async () => {
    const { called } = await parse(['run']);
    expect(called).toMatchObject([{ options: { files: [], tag: [], json: false, judgeCache: true } }]);
    expect(called[0]?.options).not.toHaveProperty('trials', expect.anything());
  });

  it.each([
    [['report'], { run: 'latest', history: false }],
    [['replay', 'abc'], { target: 'abc', trial: undefined, full: false }],
    [['replay', 'refund', '13', '--json'], { target: 'refund', trial: 13, json: true }],
    [['reeval', 'refund', '13'], { target: 'refund', trial: 13 }],
    [['reeval', '--scenario', 'x.yaml'], { target: 'latest', scenario: 'x.yaml' }],
    [['export', 'k7', '-o', 'x.jsonl'], { what: ['k7'], out: 'x.jsonl', trials: 'all' }],
    [['export', '--html', 'x.html'], { what: ['latest'], html: 'x.html', trials: 'all' }],
    [['schema', 'project'], { which: 'project' }],
    [['validate', '--format', 'github'], { files: [], format: 'github' }],
    [['init', 'here'], { dir: 'here', force: false }],
    [['run', '--no-judge-cache'], { judgeCache: false }],
    [['run', '--min-pass-rate', '90%', '--budget-usd', '0.5'], { minPassRate: 0.9, budgetUsd: 0.5 }],
    [['run', '--min-score', '0.75'], { minScore: 0.75 }],
    [['run', '--models', 'a, b', '--models', 'x=c'], { models: ['a', 'b', 'x=c'] }],
    [['run', '--adapters', 'a,./b.ts'], { adapters: ['a', './b.ts'] }],
  ])('%j', async (words, options) => {
    expect((await parse(words)).called).toMatchObject([{ options }]);
  });

  it.each([
    [['rnu'], 'run'],
    [['run', '--trails', '3'], '--trials'],
    [['run', '-n', 'many'], 'whole number'],
    [['run', '-n', '0'], 'at least 1|from 1'],
    [['validate', '--format', 'xml'], 'Allowed choices'],
    [['schema', 'traces'], 'Allowed choices'],
  ])('refuses %j and says what is wrong', async (words, hint) => {
    const { called, failure, text } = await parse(words);
    expect(called).toEqual([]);
    expect(failure).toMatchObject({ exitCode: 1 });
    expect(text).toMatch(new RegExp(hint));
  });

  it('prints its version and its help', async () => {
    expect((await parse(['--version'])).text).toBe('9.9.9\n');
    const { text } = await parse(['--help']);
    expect(text).toContain('Exit codes:\n  0  pass\n');
  });

  it('says how many cases judge-check has', async () => {
    const { text } = await parse(['judge-check', '--help']);
    expect(text).toContain(`${loadCanaries().length} cases`);
  });
});
