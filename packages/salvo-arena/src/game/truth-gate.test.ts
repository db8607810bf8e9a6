import { describe, expect, test } from 'vitest';
import { CODE, UNENCRYPTED } from '../../test/arena/sample-teams.ts';
import { fakeScanners } from '../../test/arena-blue/fake-scanner.ts';
import { createRulesChecker } from '../gate/create-rules-checker.ts';
import type { Vulnerability } from '../match/claims/vulnerability.ts';
import type { TruthChecker } from '../tasks/game-settings.ts';
import { type BlueName, parseBlueName } from '../teams/team-name.ts';
import { truthGate } from './truth-gate.ts';

const WITH_RULE: Vulnerability = { ...UNENCRYPTED, rule_ids: ['CKV_AWS_16'] };

/** What the gate says about the rule of one claim. */
async function ruleCheck(blue: BlueName, asked?: TruthChecker) {
  const { entries } = await truthGate(blue, asked)({ files: CODE, vulnerabilities: [WITH_RULE] });
  return entries[0]?.checks.find(({ check }) => check === 'rule')?.outcome;
}

describe('truthGate', () => {
  test.each([
    ['checkov', 'passed'],
    ['llm:m', 'passed'],
    ['rules', 'unchecked'],
    ['checkov+rules', 'unchecked'],
    ['hybrid:llm:m', 'unchecked'],
  ])('for Blue %s the rule is %s: the scanner under test must not check the truth', async (blue, outcome) => {
    expect(await ruleCheck(parseBlueName(blue))).toBe(outcome);
  });

  test('an explicit checker is used in any case', async () => {
    expect(await ruleCheck(parseBlueName('rules'), 'rules')).toBe('passed');
    expect(await ruleCheck(parseBlueName('checkov'), 'none')).toBe('unchecked');
  });
});

describe('an installed scanner', () => {
  const found = (rule: string, resource: string) =>
    `print({ results: [{ rule_id: 'AVD-0', long_id: '${rule}', resource: '${resource}', location: {} }] });`;
  const check = async (behaviour: string) => {
    await using fakes = await fakeScanners();
    await fakes.add('tfsec', behaviour);
    const gate = truthGate([parseBlueName('rules')], 'tfsec', { env: fakes.env, root: fakes.folder });
    const { entries } = await gate({ files: CODE, vulnerabilities: [WITH_RULE] });
    return entries[0]?.checks.find(({ check }) => check === 'rule');
  };

  test('confirms what it reports as the same weakness at the same place, and refutes nothing', async () => {
    const [resource = ''] = [WITH_RULE.resource ?? ''].flat();
    expect(await check(found('aws-rds-encrypt-instance-storage-data', resource))).toMatchObject({ outcome: 'passed' });
    expect(await check(found('aws-rds-encrypt-instance-storage-data', 'aws_db_instance.x'))).toMatchObject({
      outcome: 'unchecked',
    });
    expect(await check(found('aws-s3-enable-versioning', resource))).toMatchObject({ outcome: 'unchecked' });
  });

  test('cannot check what it is tested on, and is missed when it is not there', async () => {
    expect(() => truthGate([parseBlueName('checkov+rules')], 'checkov')).toThrow(/checkov cannot check/);
    const gate = truthGate([parseBlueName('rules')], 'tfsec', { env: {}, root: '/' });
    await expect(gate({ files: CODE, vulnerabilities: [WITH_RULE] })).rejects.toMatchObject({
      code: 'SCANNER_MISSING',
    });
  });
});

describe('createRulesChecker', () => {
  test('covers what one of our rules is about, by a scanner’s rule id', async () => {
    const checker = await createRulesChecker(CODE);
    expect(checker.covers(WITH_RULE)).toBe(true);
    expect(checker.covers({ id: 'x', type: 'mood', description: 'bad vibes' })).toBe(false);
  });

  test('fires on the resource that has the flaw, and not on one that has not', async () => {
    const checker = await createRulesChecker(CODE);
    expect(await checker.fires(WITH_RULE)).toBe(true);
    expect(await checker.fires({ ...WITH_RULE, resource: 'aws_db_instance.other' })).toBe(false);
  });

  test('cannot tell about a claim that names neither a resource nor a place', async () => {
    const checker = await createRulesChecker(CODE);
    expect(await checker.fires({ id: 'x', type: WITH_RULE.type, rule_ids: WITH_RULE.rule_ids })).toBeNull();
  });
});
