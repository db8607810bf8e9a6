import { describe, expect, it } from 'vitest';
import { JudgeAgent } from '../../match/judge-agent.ts';
import { locateFindings } from '../../match/source/locate-in-source.ts';
import { createSeededChoice } from '../../templates/seeded-choice.ts';
import { createMutationRed } from '../mutation/create-mutation-red.ts';
import { operatorsFor } from './operators.ts';
import { withDrawnSecret } from './planted-secret.ts';

const LANGUAGES = ['terraform', 'cloudformation'] as const;
const examples = LANGUAGES.flatMap(operatorsFor).flatMap(({ secret }) => (secret ? [secret.example] : []));

const game = (task: string, difficulty: 'easy' | 'medium', seed: number) =>
  createMutationRed().generate({
    ...{ task, difficulty, seed, language: 'terraform', provider: 'aws' },
    ...{ strategy: 'targeted', category: 'secrets', count: 1 },
  });

describe('a planted credential', () => {
  it('is drawn in forms that secret scanners know, and is written without quotes in YAML unless it is a key', () => {
    const drawn = Array.from({ length: 200 }, (_, seed) =>
      withDrawnSecret('X', { kind: 'any', example: 'X' }, { draw: createSeededChoice(seed), address: 'a.b' }),
    );
    expect(new Set(drawn).size).toBe(200);
    for (const form of [
      /^(?:postgres|mysql|mongodb|amqp):\/\/\w+:\w{12,}@[\w-]+\.internal:\d+\/\w+$/,
      /^[A-Za-z0-9/+]{40}$/,
      /^gh[p]_\w{36}$/,
      /^xox[b]-\d{12}-\d{12}-\w{24}$/,
      /^sk_[l]ive_\w{24}$/,
      /^-{5}BEGIN RSA PRIVATE KEY-{5}\\n/,
    ]) {
      expect(drawn.filter((secret) => form.test(secret)).length).toBeGreaterThan(10);
    }
    const plain = drawn.filter((secret) => !secret.startsWith('-'));
    expect(plain.filter((secret) => !/^[A-Za-z][\w./:@+-]*$/.test(secret))).toEqual([]);
  });

  it('is in no clean twin, differs from seed to seed, and never is the example of the operator', async () => {
    const games = await Promise.all([
      game('admin-host', 'easy', 1),
      game('admin-host', 'easy', 2),
      game('admin-host', 'medium', 3),
    ]);
    const codes = games
      .flatMap(({ files, metadata }) => [files, metadata.twin ?? {}])
      .map((each) => JSON.stringify(each));
    expect(codes.filter((code) => examples.some((example) => code.includes(example)))).toEqual([]);
    expect(games[0]?.vulnerabilities[0]?.evidence).not.toBe(games[1]?.vulnerabilities[0]?.evidence);
  });

  it('can be found by a secret scanner, which names a line and no resource', async () => {
    const { files, vulnerabilities } = await game('admin-host', 'easy', 1);
    const [flaw] = vulnerabilities;
    const found = { rule_id: 'CKV_SECRET_6', title: 'Base64 High Entropy String', type: 'secret', source: 'checkov' };
    const findings = await locateFindings(
      [{ ...found, file: flaw?.file, line: flaw?.line, end_line: flaw?.line }],
      files,
    );
    const results = new JudgeAgent({ matcher: 'evidence' }).score(vulnerabilities, findings, { twinFindings: [] });
    expect(results.truePositives).toBe(1);
  });
});
