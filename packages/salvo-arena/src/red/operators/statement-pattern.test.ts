import { describe, expect, it } from 'vitest';
import type { Json } from '../../iac/evaluate/value.ts';
import { jsonNode } from '../../iac/read/code-node.ts';
import { policyStatements } from '../../iac/read/policy-statements.ts';
import { matchesPattern, statementPatternSchema } from './statement-pattern.ts';

const like = (pattern: object, statement: Json) => {
  const policy = jsonNode({ Statement: [statement] }, { file: 'a.tf', line: 1, end_line: 1, text: '' }, false);
  return policyStatements(policy).some((one) => matchesPattern(statementPatternSchema.parse(pattern), one));
};
const ALLOW = { Effect: 'Allow', Action: 's3:*', Resource: ['arn:a', '*'], Principal: { AWS: '*' } };
const GITHUB = {
  Effect: 'Allow',
  Principal: { Federated: 'arn:x' },
  Condition: { StringEquals: { 'host:aud': 'sts' }, StringLike: { 'host:sub': 'repo:a' } },
};

describe('matchesPattern', () => {
  it('reads single values and lists alike', () => {
    expect(like({ action: ['s3:*'] }, ALLOW)).toBe(true);
    expect(like({ action: ['s3:*'] }, { ...ALLOW, Action: ['s3:Get*', 's3:*'] })).toBe(true);
    expect(like({ any_resource: true }, ALLOW)).toBe(true);
    expect(like({ any_resource: false }, { ...ALLOW, Resource: 'arn:a' })).toBe(true);
  });

  it('recognises everyone, however it is written', () => {
    expect(like({ principal: '*' }, ALLOW)).toBe(true);
    expect(like({ principal: '*' }, { ...ALLOW, Principal: '*' })).toBe(true);
    expect(like({ principal: '*' }, { ...ALLOW, Principal: { AWS: ['arn:b', '*'] } })).toBe(true);
    expect(like({ not_anyone: true }, { ...ALLOW, Principal: { Service: 'ec2.amazonaws.com' } })).toBe(true);
    expect(like({ not_anyone: true }, ALLOW)).toBe(false);
  });

  it('matches statements that allow, unless the pattern says otherwise', () => {
    expect(like({}, { ...ALLOW, Effect: 'Deny' })).toBe(false);
    expect(like({ effect: 'Deny' }, { ...ALLOW, Effect: 'Deny' })).toBe(true);
  });

  it('finds keys of a condition under any test', () => {
    expect(like({ condition_key: ':sub', conditional: true }, GITHUB)).toBe(true);
    expect(like({ condition_key: ':aud', no_condition_key: ':sub' }, GITHUB)).toBe(false);
    expect(like({ conditional: false }, ALLOW)).toBe(true);
  });

  it('does not match what is no statement', () => {
    for (const odd of [null, 'Allow', [ALLOW], 7]) expect(like({}, odd)).toBe(false);
  });
});
