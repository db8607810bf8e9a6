// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Terraform and CloudFormation write their templates like this.
import { describe, expect, it } from 'vitest';
import { parseCode } from './parse-code.ts';

describe('parseCode', () => {
  it('recognises the language of each file, and skips files that are not infrastructure code', async () => {
    const { files } = await parseCode({
      'z.tf': 'a = 1\n',
      'b.tf.json': '{"variable": {"x": {}}}',
      'prod.tfvars': 'x = 1\n',
      'c.yml': 'AWSTemplateFormatVersion: "2010-09-09"\nResources: {}\n',
      'd.json': '{"Resources": {"A": {"Type": "T"}}}',
      'e.template': 'Resources:\n  A: {Type: T}\n',
      'package.json': '{"name": "x"}',
      'pod.yaml': 'kind: Pod\n',
      'readme.txt': 'Resources:\n',
    });
    expect(files.map(({ file, language, syntax }) => `${file} ${language} ${syntax}`)).toEqual([
      'b.tf.json terraform json',
      'c.yml cloudformation yaml',
      'd.json cloudformation json',
      'e.template cloudformation yaml',
      'prod.tfvars terraform hcl',
      'z.tf terraform hcl',
    ]);
    expect(files.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('parses an empty project and empty files', async () => {
    expect(await parseCode({})).toEqual({ files: [] });
    expect((await parseCode({ 'a.tf': '' })).files[0]).toMatchObject({ blocks: [], problems: [] });
  });

  it('does not parse a file that is too long to be code', async () => {
    const { files } = await parseCode({ 'a.tf': '#'.repeat(10_000_001) });
    expect(files[0]?.problems[0]?.message).toMatch('more than 10000000 characters');
  });

  it('frees the memory of parsed files', async () => {
    const text = 'resource "a" "b" {\n  x = [1, 2, "${var.y}"]\n}\n'.repeat(50);
    const read = async () => {
      for (let round = 0; round < 100; round += 1) await parseCode({ 'a.tf': text, 'b.tf': `${text}resource "x" {` });
      return process.memoryUsage().external;
    };
    await read();
    const before = await read();
    expect((await read()) - before).toBeLessThan(5_000_000);
  });
});
