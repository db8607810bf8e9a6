import { describe, expect, it } from 'vitest';
import { blockAt, codeBlocks } from './code-blocks.ts';

const FILES = {
  'infra/main.tf':
    'resource "aws_s3_bucket" "a" {\n  x {\n    y = 1\n  }\n}\nlocals {\n  one = 1\n  two = {\n    a = 2\n  }\n}\nvariable "v" {}\noutput "o" {}\nterraform {}\n',
  'other/main.tf': 'data "aws_x" "y" {\n}\n',
  'template.yaml': 'Resources:\n  Data:\n    Type: AWS::S3::Bucket\nConditions:\n  C: !Equals [a, b]\n',
  'k8s.yaml': 'kind: Pod\n',
  'README.md': 'Resources:\n',
};
const blocks = await codeBlocks(FILES);
const addressAt = (file: string, line: number) => blockAt(blocks, file, line)?.address ?? null;

describe('codeBlocks', () => {
  it('lists the blocks with an address of their own, in all files of infrastructure code', () => {
    expect(
      blocks.map(({ file, kind, address, line, end_line }) => `${file}:${line}-${end_line} ${kind} ${address}`),
    ).toEqual([
      'infra/main.tf:1-5 resource aws_s3_bucket.a',
      'infra/main.tf:7-7 local local.one',
      'infra/main.tf:8-10 local local.two',
      'infra/main.tf:12-12 variable var.v',
      'infra/main.tf:13-13 output output.o',
      'infra/main.tf:14-14 other terraform',
      'other/main.tf:1-2 data data.aws_x.y',
      'template.yaml:2-3 resource AWS::S3::Bucket.Data',
      'template.yaml:5-5 other Conditions.C',
    ]);
  });

  it('has type and name', () => {
    expect(blocks[0]).toMatchObject({ language: 'terraform', type: 'aws_s3_bucket', name: 'a' });
    expect(blocks.find(({ kind }) => kind === 'variable')).toMatchObject({ type: '', name: 'v' });
    expect(blocks.at(-2)).toMatchObject({ language: 'cloudformation', type: 'AWS::S3::Bucket', name: 'Data' });
  });
});

describe('blockAt', () => {
  it('finds the block around a line', () => {
    expect(addressAt('infra/main.tf', 3)).toBe('aws_s3_bucket.a');
    expect(addressAt('infra/main.tf', 9)).toBe('local.two');
    expect(addressAt('infra/main.tf', 11)).toBeNull();
  });

  it('accepts a path that ends with that of the file, or the other way round', () => {
    expect(addressAt('/src/infra/main.tf', 1)).toBe('aws_s3_bucket.a');
    expect(addressAt('C:\\src\\other\\main.tf', 1)).toBe('data.aws_x.y');
    expect(addressAt('./template.yaml', 3)).toBe('AWS::S3::Bucket.Data');
  });

  it('does not guess between files, nor choose another file of the same name', () => {
    expect(addressAt('main.tf', 1)).toBeNull();
    expect(addressAt('third/main.tf', 1)).toBeNull();
    expect(addressAt('', 1)).toBeNull();
  });

  it('finds the innermost of nested blocks', () => {
    const nested = blocks.slice(0, 2).map((block, index) => ({ ...block, line: 1 + index, end_line: 10 - index }));
    expect(blockAt(nested, 'infra/main.tf', 5)?.address).toBe('local.one');
  });
});
