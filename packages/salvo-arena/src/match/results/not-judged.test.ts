import { expect, it } from 'vitest';
import { notJudgedFlaws } from './not-judged.ts';

const FLAWS = [
  { id: 'V1', resource: 'AWS::EC2::SecurityGroup.PierGroup', weakness: 'sg-ingress-ssh-open' },
  { id: 'V2', resource: 'AWS::EC2::SecurityGroup.PierGroup', weakness: 'sg-no-description' },
  { id: 'V3', resource: 'AWS::EFS::FileSystem.Logbook', rule_ids: ['CKV_AWS_42'] },
];

it.each([
  ['a rule for the weakness failed at the resource', 'HIPAA.Security-EC2RestrictedSSH', 'PierGroup', [0]],
  ['a rule for it failed, known from the ids of other scanners', 'AwsSolutions-EFS1', 'Logbook', [2]],
  ['a rule for another weakness failed', 'AwsSolutions-EFS1', 'PierGroup', []],
  ['the rule failed at another resource', 'HIPAA.Security-EC2RestrictedSSH', 'DeckGroup', []],
  ['the rule is unknown', 'AwsSolutions-XX1', 'PierGroup', []],
  ['the check names no resource', 'HIPAA.Security-EC2RestrictedSSH', null, []],
])('when %s, the flaws that could not be judged are %4$j', (_, rule_id, resource, flaws) => {
  expect([...notJudgedFlaws(FLAWS, [{ rule_id, resource }])]).toEqual(flaws);
});
