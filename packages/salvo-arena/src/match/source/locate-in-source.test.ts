import { describe, expect, it } from 'vitest';
import type { Finding } from '../claims/finding.ts';
import { locateFindings, locateVulnerabilities } from './locate-in-source.ts';

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

  it('adds the address of a resource that is called by another name, and keeps the name', async () => {
    const named = ['the data bucket', 'q', 'Queue', 'aws_db_instance.main', 'nowhere'].map((resource) => ({
      resource,
    }));
    const located = await locateFindings(named, FILES);
    expect(located.map(({ resource }) => resource)).toEqual([
      ['the data bucket', 'aws_s3_bucket.data'],
      ['q', 'AWS::SQS::Queue.Queue'],
      'AWS::SQS::Queue.Queue',
      'aws_db_instance.main',
      'nowhere',
    ]);
  });

  it('finds the value in a file of values', async () => {
    expect(await resourceAt('prod.tfvars', 1, { ...FILES, 'prod.tfvars': 'a = 1\n' })).toBe('var.a');
  });

  it('accepts paths that are names of methods', async () => {
    expect(await resourceAt('__proto__', 4)).toBeUndefined();
    expect(await resourceAt('constructor', 4)).toBeUndefined();
  });
});

describe('locateVulnerabilities', () => {
  const sites = async (vulnerability: object) => {
    const [located] = await locateVulnerabilities([{ id: 'v1', ...vulnerability }], {
      ...FILES,
      'main.tf': `${FILES['main.tf']}resource "aws_sqs_queue" "jobs" {\n  name = var.a\n}\n`,
    });
    return located?.locations?.map(({ kind, resource }) => `${kind} ${resource}`);
  };

  it('lists where a correct report may point', async () => {
    expect(await sites({ resource: 'aws_sqs_queue.jobs' })).toEqual(['resource aws_sqs_queue.jobs', 'related var.a']);
    expect(await sites({ resource: 'the data bucket' })).toEqual(['resource aws_s3_bucket.data']);
    expect(await sites({ resource_name: 'main', resource_type: 'aws_db_instance' })).toEqual([
      'resource aws_db_instance.main',
    ]);
  });

  it('keeps the locations that a manifest states, and adds none for what is not in the code', async () => {
    expect(await sites({ resource: 'aws_sqs_queue.jobs', locations: [{ kind: 'definition', resource: 'x' }] })).toEqual(
      ['definition x'],
    );
    expect(await sites({ resource: 'aws_kms_key.other' })).toBeUndefined();
    expect(await sites({})).toBeUndefined();
  });
});
