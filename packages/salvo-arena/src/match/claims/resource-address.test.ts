import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anySameAddress, parseAddress, sameResource } from './resource-address.ts';

function same(a: string, b: string): boolean {
  expect(sameResource([b], [a])).toBe(sameResource([a], [b]));
  return sameResource([a], [b]);
}

describe('the same resource', () => {
  it.each([
    'aws_s3_bucket.data',
    'data',
    'Data',
    'AWS_S3_BUCKET.DATA',
    ' aws_s3_bucket.data ',
    'aws_s3_bucket.data[0]',
    'aws_s3_bucket.data["a"]',
    'aws_s3_bucket.data["a.b"]',
    "aws_s3_bucket.data['a']",
    'aws_s3_bucket.data[each.key]',
    'data[0]',
    'data["a"]',
    'module.x.aws_s3_bucket.data[0]',
    'module.x.module.y[1].aws_s3_bucket.data',
    'module.x["k.l"].aws_s3_bucket.data',
    'resource.aws_s3_bucket.data',
    'resource.aws_s3_bucket[data]',
    'input.resource.aws_s3_bucket[data].acl',
    'aws_s3_bucket[data]',
    'aws_s3_bucket[{{data}}]',
    'aws_s3_bucket[{{data}}].acl',
    'aws_s3_bucket["data"]',
    'aws_s3_bucket.data.acl',
    'aws_s3_bucket.data.versioning.enabled',
    'main.tf:aws_s3_bucket.data',
    'infra/main.tf:12:aws_s3_bucket.data',
    'infra/main.tf:12-20:aws_s3_bucket.data',
    'main.tf#aws_s3_bucket.data',
    'main.tf.json::aws_s3_bucket.data',
    'resource "aws_s3_bucket" "data"',
    'resource "aws_s3_bucket" "data" {',
    '"aws_s3_bucket" "data"',
    'aws_s3_bucket data',
    'aws_s3_bucket/data',
    'aws_s3_bucket:data',
    '`aws_s3_bucket.data`',
    '"aws_s3_bucket.data"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: how Terraform writes a reference in a text
    '${aws_s3_bucket.data.id}',
    'aws_s3_bucket.data (main.tf, line 12)',
    'data (aws_s3_bucket)',
    'aws_s3_bucket.data in main.tf',
  ])('is aws_s3_bucket.data and %j', (text) => {
    expect(same('aws_s3_bucket.data', text)).toBe(true);
  });

  it.each([
    ['aws_s3_bucket.data', 'aws_s3_bucket.logs'],
    ['aws_s3_bucket.data', 'aws_s3_bucket_policy.data'],
    ['aws_s3_bucket.data', 'aws_s3_bucket.data2'],
    ['aws_s3_bucket.data', 'data.aws_s3_bucket.data'],
    ['aws_s3_bucket.data', 'aws_s3_bucket'],
    ['data.aws_s3_bucket', 'aws_s3_bucket'],
    ['aws_s3_bucket.data', 'bucket'],
    ['module.x.aws_s3_bucket.data', 'module.y.aws_s3_bucket.data'],
    ['module.x.aws_s3_bucket.data', 'module.x.module.y.aws_s3_bucket.data'],
    ['module.x.aws_s3_bucket.data', 'module.x'],
    ['module.x', 'module.y'],
    ['module.x', 'x'],
    ['var.data', 'local.data'],
    ['AWS::S3::Bucket.Data', 'AWS::SQS::Queue.Data'],
    ['AWS::S3::Bucket.Data', 'AWS::S3::Bucket'],
    ['arn:aws:s3:::data', 'aws_s3_bucket.data'],
    ['arn:aws:s3:::data', 'data'],
    ['Deployment.default.web', 'Deployment.default.db'],
    ['Deployment.default.web', 'Deployment.other.web'],
  ])('is not %j and %j', (a, b) => {
    expect(same(a, b)).toBe(false);
  });

  it.each([
    ['AWS::S3::Bucket.Data', 'Data'],
    ['AWS::S3::Bucket.Data', 'Resources.Data.Properties.BucketEncryption'],
    ['AWS::S3::Bucket.Data', 'Data.Properties.BucketName'],
    ['AWS::S3::Bucket.Data', 'template.yaml:AWS::S3::Bucket.Data'],
    ['AWS::S3::Bucket.Data', 'Data (AWS::S3::Bucket)'],
    ['AWS::S3::Bucket.Data', 'AWS::S3::Bucket Data'],
    ['data.aws_iam_policy_document.x', 'data.aws_iam_policy_document.x.json'],
    ['data.aws_iam_policy_document.x', 'data.aws_iam_policy_document[x]'],
    ['data.aws_iam_policy_document.x', 'x'],
    ['data.http.ip', 'data.http.ip.body'],
    ['module.x.data', 'module.x.aws_s3_bucket.data'],
    ['module.x', 'module[x]'],
    ['var.data', 'variable.data'],
    ['aws_s3_bucket', 'AWS_S3_Bucket'],
    ['arn:aws:s3:::data', 'ARN:aws:s3:::data'],
    ['Deployment.default.web', 'web'],
    ['my_bucket["a"]', 'aws_s3_bucket.my_bucket'],
    ['The  data bucket', 'the data bucket'],
  ])('is %j and %j', (a, b) => {
    expect(same(a, b)).toBe(true);
  });

  it.each(['', '  ', 'N/A', 'none', 'Unknown', '-', '.', '[', '[0]', '""'])(
    'is never %j, not even of itself',
    (text) => {
      expect(same(text, text)).toBe(false);
      expect(same(text, 'data')).toBe(false);
    },
  );

  it('of two lists is any of the one and any of the other', () => {
    expect(sameResource(['aws_s3_bucket.a', 'aws_s3_bucket.b'], ['c', 'b'])).toBe(true);
    expect(sameResource(['aws_s3_bucket.a', 'aws_s3_bucket.b'], ['c', 'd'])).toBe(false);
    expect(sameResource([], ['a'])).toBe(false);
    expect(sameResource([], [])).toBe(false);
  });

  it('is found among many without comparing each with each', () => {
    const a = Array.from({ length: 20_000 }, (_, n) => `aws_s3_bucket.a${n}`);
    const b = Array.from({ length: 20_000 }, (_, n) => `aws_s3_bucket.b${n}`);
    expect(sameResource(a, b)).toBe(false);
    expect(sameResource(a, [...b, 'module.m.aws_s3_bucket.a19999'])).toBe(true);
  });

  it('does not depend on how many there are to compare', () => {
    const address = fc.constantFrom(
      'a',
      'b',
      'aws_s3_bucket.a',
      'module.x.aws_s3_bucket.a',
      'aws_s3_bucket',
      'module.x',
      '',
    );
    fc.assert(
      fc.property(fc.array(address, { maxLength: 4 }), fc.array(address, { maxLength: 4 }), (a, b) => {
        const others = Array.from({ length: 20 }, (_, n) => `aws_sqs_queue.other${n}`);
        expect(sameResource([...a, ...others], b)).toBe(sameResource(a, b));
      }),
    );
  });
});

describe('an address', () => {
  it('has a module path, a type and a name', () => {
    expect(parseAddress('module.a.module.b["k"].aws_s3_bucket.Data[0].acl')).toEqual({
      module: 'a.b',
      type: 'aws_s3_bucket',
      name: 'data',
    });
  });

  it('has a type of an unknown provider only if a name follows', () => {
    expect(parseAddress('acme_box.data')).toEqual({ module: '', type: 'acme_box', name: 'data' });
    expect(parseAddress('acme_box')).toEqual({ module: '', type: null, name: 'acme_box' });
  });

  it('`data` is a name where no data source can be meant', () => {
    expect(parseAddress('data').name).toBe('data');
    expect(parseAddress('data[0]').name).toBe('data');
    expect(parseAddress('module.x.data').name).toBe('data');
    expect(parseAddress('aws_s3_bucket.data').name).toBe('data');
    expect(parseAddress('data.aws_region.current')).toEqual({ module: '', type: 'data.aws_region', name: 'current' });
  });

  it('is read from any text, and one that names something is the same as itself', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^(module|data|aws_x|[.[\]"{}: #()]){0,12}$/));
    fc.assert(
      fc.property(text, (written) => {
        const address = parseAddress(written);
        const names = address.name !== null || address.type !== null || address.module !== '';
        expect(anySameAddress([address], [address])).toBe(names);
      }),
    );
  });

  it('that is far too long is compared without being parsed', () => {
    for (const text of ['['.repeat(1_000_000), 'a.'.repeat(500_000), ' '.repeat(499), '('.repeat(499)]) {
      expect(() => parseAddress(text)).not.toThrow();
    }
    const long = `${'x'.repeat(10_000)}.y`;
    expect(same(long, long.toUpperCase())).toBe(true);
  });
});
