import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allWeaknesses, weaknessById, weaknessesOfRule } from './weaknesses.ts';

describe('weaknessesOfRule', () => {
  it.each([
    'CKV_AWS_19',
    'ckv_aws_19',
    ' CKV-AWS-19 ',
    'CKV_AWS_19: S3 encryption',
    'checkov:CKV_AWS_19',
    'AVD-AWS-0088',
    'avd-aws-0088',
    'AWS-0088',
    'aws_0088',
    'avd_aws_0088',
    'https://avd.aquasec.com/misconfig/avd-aws-0088',
    'https://example.com/misconfig/AVD-AWS-0088/',
    'aws-s3-enable-bucket-encryption',
    'AWS017',
    'b2e8752c-3497-4255-98d2-e4ae5b46bbf5',
    'B2E8752C-3497-4255-98D2-E4AE5B46BBF5',
    'AC_AWS_0207',
    'AWS.S3Bucket.EncryptionandKeyManagement.High.0405',
    'S3_BUCKET_SERVER_SIDE_ENCRYPTION_ENABLED',
    's3-bucket-server-side-encryption-enabled',
    'S3.4',
    's3_bucket_default_encryption',
    's3-bucket-unencrypted',
  ])('maps %s to the unencrypted bucket', (id) => {
    expect(weaknessesOfRule(id)).toEqual(['s3-bucket-unencrypted']);
  });

  it.each([
    'AwsSolutions-EFS1',
    'HIPAA.Security-EFSEncrypted',
    'PCI.DSS.321-EFSEncrypted',
    'nist.800.53.r4-efsencrypted: the files are in the clear',
  ])('knows a check of cdk-nag in each of its packs: %s', (id) => {
    expect(weaknessesOfRule(id)).toEqual(['efs-unencrypted']);
  });

  it('knows Semgrep’s ids by their last name', () => {
    const path = 'terraform.aws.security.aws-ebs-volume-unencrypted.aws-ebs-volume-unencrypted';
    expect(weaknessesOfRule(path)).toEqual(['ebs-volume-unencrypted']);
  });

  it('reads the first of several ids', () => {
    expect(weaknessesOfRule('CKV_AWS_19, CKV_AWS_81')).toEqual(['s3-bucket-unencrypted']);
    expect(weaknessesOfRule('CKV_AWS_81, CKV_AWS_19')).toEqual(['msk-unencrypted', 'msk-no-tls']);
  });

  it('does not search long texts', () => {
    expect(weaknessesOfRule(`CKV_AWS_19 ${'x'.repeat(300)}`)).toEqual([]);
  });

  it('gives only weaknesses of the catalogue, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        expect(weaknessesOfRule(text).filter((id) => weaknessById(id) === undefined)).toEqual([]);
      }),
    );
  });

  it('gives every weakness of a rule that reports several', () => {
    expect(weaknessesOfRule('CKV_AWS_81')).toEqual(['msk-unencrypted', 'msk-no-tls']);
  });

  it.each(['', ' ', 'CKV_AWS_99999', 'MY_RULE_1', 'CWE-311', '311', '__proto__', 'constructor', 'x'.repeat(100_000)])(
    'knows nothing of %.20s',
    (id) => {
      expect(weaknessesOfRule(id)).toEqual([]);
    },
  );

  it('gives the same answer however many ids were looked up before', () => {
    for (let number = 0; number < 6_000; number += 1) weaknessesOfRule(`OTHER_${number}`);
    expect(weaknessesOfRule('aws-0107')).toContain('sg-ingress-ssh-open');
    expect(weaknessesOfRule('aws-0107')).toContain('sg-ingress-rdp-open');
  });
});

describe('weaknessById', () => {
  it('gives the types, the attributes and the description of a weakness', () => {
    expect(weaknessById('rds-publicly-accessible')).toMatchObject({
      category: 'public_access',
      severity: 'critical',
      terraform: { types: ['aws_db_instance', 'aws_rds_cluster_instance'], attributes: ['publicly_accessible'] },
      cloudformation: { types: ['AWS::RDS::DBInstance', 'AWS::RDS::DBCluster'], attributes: ['PubliclyAccessible'] },
    });
  });

  it('is undefined for an unknown id', () => {
    expect(weaknessById('nothing')).toBeUndefined();
    expect(weaknessById('constructor')).toBeUndefined();
  });

  it('finds every weakness of the catalogue', () => {
    for (const weakness of allWeaknesses()) expect(weaknessById(weakness.id)).toBe(weakness);
  });
});
