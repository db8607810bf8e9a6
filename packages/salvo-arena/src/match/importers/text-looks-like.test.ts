import { describe, expect, it } from 'vitest';
import { textLooksLike } from './text-looks-like.ts';

describe('textLooksLike', () => {
  it.each([
    ['an empty file', ' \n\t'],
    ['a gzip archive', '\u001f\ufffd\b\0\0'],
    ['a zip archive', 'PK\u0003\u0004\u0014\0'],
    ['UTF-16 text, as PowerShell writes with ">"', '\ufffd\ufffd{\0"\0a\0'],
    ['UTF-16 text, as PowerShell writes with ">"', '\ufffd\ufffd\0{\0"\0a'],
    ['binary data', 'abcdefgh\0\0\0\0'],
    ['HTML', '<!DOCTYPE html>\n<html>'],
    ['a JUnit report', '<?xml version="1.0"?>\n<testsuites>\n<testsuite name="checkov">'],
    ['XML', '<?xml version="1.0"?>\n<checkstyle/>'],
    [
      "Checkov's console output",
      '\nterraform scan results:\n\nPassed checks: 5, Failed checks: 2, Skipped checks: 0\n',
    ],
    [
      "Checkov's console output",
      'Check: CKV_AWS_20: "x"\n\tFAILED for resource: aws_s3_bucket.a\n\tFile: /main.tf:1-2',
    ],
    ["Trivy's console output", '\nmain.tf (terraform)\n===================\nTests: 3 (SUCCESSES: 1, FAILURES: 2)\n'],
    ["KICS's console output", 'Files scanned: 3\n\nResults Summary:\nCRITICAL: 1\n'],
    ["tfsec's console output", '\n\u001b[4mResult #1 HIGH Bucket is public\u001b[0m\n────\n  main.tf:13\n'],
    ["Terrascan's console output", 'Violation Details -\n\n\tDescription    :\tx\n'],
    ["Snyk's console output", '\nSnyk Infrastructure as Code\n\n✔ Test completed.'],
    ["cfn-guard's console output", 'template.yaml Status = FAIL\nFAILED rules\nx.guard/X    FAIL\n'],
    ["Semgrep's console output", '┌─────┐\n│ 3 Code Findings │\n└─────┘'],
    ['a CloudFormation template', 'AWSTemplateFormatVersion: "2010-09-09"\nResources:\n'],
    ['Terraform code', '# shop\nresource "aws_s3_bucket" "data" {\n  acl = "private"\n}\n'],
    ['CSV', 'rule,severity,resource\nR1,high,aws_s3_bucket.a\n'],
    ['YAML', '# my findings\nfindings:\n  - type: encryption\n'],
    ['YAML', '---\n- type: encryption\n  resource: x\n'],
    ['Markdown', '# Findings\n\nThe bucket is public.'],
  ])('%s', (what, text) => {
    expect(textLooksLike(text)?.what).toBe(what);
    expect(textLooksLike(text)?.advice).toMatch(/\.$/);
  });

  it('is null for a text that could be anything', () => {
    expect(textLooksLike('I found nothing.')).toBeNull();
  });

  it('reads only the beginning of a large text', () => {
    for (const piece of ['a,', 'a: ', '<a', '# x\n', '\u001b[', 'resource ', '\n', 'Status = ', '---\n', '(((', 'x.']) {
      const beginning = piece.repeat(20_000);
      expect(textLooksLike(`${beginning}<!doctype html>${beginning}`), piece).toEqual(textLooksLike(beginning));
    }
  });
});
