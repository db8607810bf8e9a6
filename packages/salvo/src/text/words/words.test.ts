import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stem, wordsOf } from './words.ts';

describe('the words of a text', () => {
  it.each([
    ['aws_s3_bucket', ['aws', 's3', 'bucket']],
    ['server-side-encryption', ['server', 'side', 'encryption']],
    ['ingress.cidr_blocks', ['ingress', 'cidr', 'blocks']],
    ['ServerSideEncryption', ['server', 'side', 'encryption']],
    ['kmsKeyId', ['kms', 'key', 'id']],
    ['KMSKeyId', ['kms', 'key', 'id']],
    ['S3Bucket and EC2Instance', ['s3', 'bucket', 'and', 'ec2', 'instance']],
    ['AWS::S3::Bucket', ['aws', 's3', 'bucket']],
    ['SHA256 port 22', ['sha256', 'port', '22']],
    ['PUBLIC access', ['public', 'access']],
    ['', []],
    ['… — !?', []],
  ])('%j are %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it('leave the plural of an abbreviation and a version number whole', () => {
    expect(wordsOf('ACLs, VPCs, IPv4, IPv6CidrBlock')).toEqual(['acls', 'vpcs', 'ipv4', 'ipv6', 'cidr', 'block']);
  });

  it.each([
    ['CloudTrail', 'cloud trail', 'cloudtrail'],
    ['DynamoDB', 'Dynamo DB', 'dynamodb'],
    ['HardCoded', 'hard-coded', 'hardcoded'],
    ['PostgreSQL', 'postgre sql', 'postgresql'],
  ])('are the same for %s, %s and %s', (camel, apart, together) => {
    expect(wordsOf(camel)).toEqual([together]);
    expect(wordsOf(apart)).toEqual([together]);
    expect(wordsOf(together)).toEqual([together]);
  });

  it('may be of any script', () => {
    expect(wordsOf('Verschlüsselung fehlt; 暗号化 😀')).toEqual(['verschlüsselung', 'fehlt', '暗号化']);
    // A capital and a small letter, each of two halves.
    expect(wordsOf('\u{10400}\u{10fb0}')).toEqual(['\u{10428}\u{10fb0}']);
  });

  it('are the same however an accent is encoded', () => {
    expect(wordsOf('cl\u00e9')).toEqual(wordsOf('cle\u0301'));
  });

  it('hold every letter and digit of the text, in order and in lower case', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        expect(wordsOf(text).join('')).toBe(text.toLowerCase().replace(/[^a-z0-9]/g, ''));
      }),
    );
  });

  it('are never empty and never split a character, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const words = wordsOf(text);
        fc.pre(words.length > 0);
        for (const word of words) {
          expect(word).not.toBe('');
          expect(word.isWellFormed()).toBe(true);
        }
      }),
    );
  });

  it('of a huge text take linear time', () => {
    expect(wordsOf('aB'.repeat(500_000))).toHaveLength(500_001);
  });
});

describe('the stem of a word', () => {
  it.each([
    ['encrypt', 'encrypts', 'encrypted', 'encrypting', 'encryption', 'unencrypted'],
    ['enable', 'enables', 'enabled', 'enabling'],
    ['log', 'logs', 'logged', 'logging'],
    ['access', 'accesses', 'accessed', 'accessing', 'accessible'],
    ['policy', 'policies'],
    ['deny', 'denies', 'denied', 'denying'],
    ['public', 'publicly'],
    ['rotate', 'rotated', 'rotation', 'rotating'],
    ['configure', 'configured', 'configuration', 'configurations'],
    ['authorize', 'authorized', 'unauthorized', 'authorization'],
    ['restrict', 'restricted', 'unrestricted', 'restriction'],
    ['control', 'controls', 'controlled'],
    ['version', 'versions', 'versioning'],
    ['address', 'addresses'],
    ['hardcode', 'hardcoded', 'hardcoding'],
    ['role', 'roles'],
    ['cache', 'caches', 'cached'],
  ])('is one for %s and its forms', (...forms) => {
    expect(new Set(forms.map(stem)).size).toBe(1);
  });

  it.each([
    ['http', 'https'],
    ['encryption', 'decryption'],
    ['string', 'str'],
    ['under', 'der'],
    ['action', 'act'],
    ['private', 'privilege'],
    ['log', 'login'],
    ['format', 'form'],
    ['unit', 'it'],
  ])('tells %s from %s', (a, b) => {
    expect(stem(a)).not.toBe(stem(b));
  });

  it('leaves short words, words with digits and other scripts as they are', () => {
    for (const word of ['aws', 'sns', 'ids', 's3s', 'sha256s', 'clés', 'status', 'redis'])
      expect(stem(word)).toBe(word);
  });

  it('is never empty', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,20}$/), (word) => {
        expect(stem(word).length).toBeGreaterThanOrEqual(Math.min(word.length, 3));
      }),
    );
  });
});
