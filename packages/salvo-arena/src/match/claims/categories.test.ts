import { describe, expect, it } from 'vitest';
import { categoriesOf } from './categories.ts';

/** The words that put a claim into a category, as they are documented. */
const DOCUMENTED = {
  encryption: ['encryption', 'sse', 'kms', 'tls'],
  access_control: ['public', 'acl', 'permission', 'access'],
  iam: ['iam', 'role', 'policy', 'privilege'],
  network: ['security group', 'cidr', 'ingress', 'egress'],
  logging: ['logging', 'audit', 'cloudtrail', 'monitoring'],
};

function ofTitle(title: string): string[] {
  return [...categoriesOf({ type: '', title, description: '' })];
}

describe('the categories of a claim', () => {
  it.each(Object.entries(DOCUMENTED).flatMap(([category, patterns]) => patterns.map((p) => [p, category])))(
    '%j speaks of %s, in type, title and description alike',
    (pattern, category) => {
      expect(categoriesOf({ type: pattern, title: '', description: '' })).toContain(category);
      expect(categoriesOf({ type: '', title: pattern, description: '' })).toContain(category);
      expect(categoriesOf({ type: '', title: '', description: `A ${pattern.toUpperCase()}.` })).toContain(category);
    },
  );

  it.each(Object.keys(DOCUMENTED))('the name of %s is one of its patterns', (category) => {
    expect(categoriesOf({ type: category, title: '', description: '' })).toContain(category);
  });

  it('are found at the start of a word only', () => {
    expect(ofTitle('Publicly accessible')).toEqual(['access_control']);
    expect(ofTitle('Oracle database of a republic, assessed')).toEqual([]);
  });

  it('are found in other forms of a word', () => {
    expect(ofTitle('The volume is not encrypted')).toEqual(['encryption']);
    expect(ofTitle('Unencrypted volume')).toEqual(['encryption']);
    expect(ofTitle('Wide policies')).toEqual(['iam']);
    expect(ofTitle('Flow logs are off')).toEqual(['logging']);
  });

  it('are found in words that follow each other, however they are joined', () => {
    for (const title of ['security group', 'Security Groups', 'aws_security_group', 'SecurityGroupIngress']) {
      expect(ofTitle(title)).toContain('network');
    }
    expect(ofTitle('security of the group')).toEqual([]);
    expect(ofTitle('group security')).toEqual([]);
    expect(ofTitle('security')).toEqual([]);
  });

  it('are found under every notation of CloudTrail', () => {
    expect(ofTitle('CloudTrail')).toEqual(['logging']);
    expect(ofTitle('Cloud Trail')).toEqual(['logging']);
  });

  it('can be several, or none', () => {
    expect(ofTitle('KMS key policy')).toEqual(['encryption', 'iam']);
    expect(ofTitle('Hard-coded password')).toEqual([]);
  });

  it('do not join the end of one text with the beginning of another', () => {
    expect([...categoriesOf({ type: '', title: 'security', description: 'group' })]).toEqual([]);
  });
});
