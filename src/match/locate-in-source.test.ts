import { describe, expect, it } from 'vitest';
import type { Finding } from './claims/finding.ts';
import { locateFindings } from './locate-in-source.ts';

const FILES = {
  'main.tf': 'variable "a" {\n}\nresource "aws_s3_bucket" "data" {\n  acl = "public-read"\n}\n',
  'modules/db/main.tf': 'resource "aws_db_instance" "main" {\n  engine = "postgres"\n}\n',
  'stack/template.yaml': 'Resources:\n  Queue:\n    Type: AWS::SQS::Queue\n    Properties:\n      QueueName: q\n',
};

async function resourceAt(file: string, line: number, files: Record<string, string> = FILES) {
  const [located] = await locateFindings([{ file, line }], files);
  return located?.resource;
}

describe('locateFindings', () => {
  it('gives a finding the address of the block around its line', async () => {
    expect(await resourceAt('main.tf', 4)).toBe('aws_s3_bucket.data');
    expect(await resourceAt('main.tf', 3)).toBe('aws_s3_bucket.data');
    expect(await resourceAt('stack/template.yaml', 5)).toBe('AWS::SQS::Queue.Queue');
  });

  it('recognises a file by the end of its path', async () => {
    expect(await resourceAt('/home/ci/shop/modules/db/main.tf', 2)).toBe('aws_db_instance.main');
    expect(await resourceAt('C:\\ci\\shop\\modules\\db\\main.tf', 2)).toBe('aws_db_instance.main');
    expect(await resourceAt('../../shop/main.tf', 4)).toBe('aws_s3_bucket.data');
    expect(await resourceAt('template.yaml', 3)).toBe('AWS::SQS::Queue.Queue');
  });

  it('leaves a finding unchanged when two files fit, or none', async () => {
    const sameNames = { 'a/main.tf': FILES['main.tf'], 'b/main.tf': FILES['main.tf'] };
    expect(await resourceAt('main.tf', 4, sameNames)).toBeUndefined();
    expect(await resourceAt('b/main.tf', 4, sameNames)).toBe('aws_s3_bucket.data');
    expect(await resourceAt('c/main.tf', 4, sameNames)).toBeUndefined();
    expect(await resourceAt('other.tf', 4)).toBeUndefined();
  });

  it('leaves a finding outside every block unchanged', async () => {
    expect(await resourceAt('main.tf', 999)).toBeUndefined();
  });

  it('keeps a stated resource, and the order of the findings', async () => {
    const findings: Finding[] = [
      { resource: 'aws_kms_key.mine', file: 'main.tf', line: 4 },
      { title: 'no place' },
      { resource: [], file: 'main.tf', line: 4, title: 'an empty list names none' },
      { resource: null, file: 'main.tf' },
    ];
    const located = await locateFindings(findings, FILES);
    expect(located.map(({ resource }) => resource)).toEqual([
      'aws_kms_key.mine',
      undefined,
      'aws_s3_bucket.data',
      null,
    ]);
    expect(located[2]?.title).toBe('an empty list names none');
  });

  it('accepts paths that are names of methods', async () => {
    expect(await resourceAt('__proto__', 4)).toBeUndefined();
    expect(await resourceAt('constructor', 4)).toBeUndefined();
  });
});
