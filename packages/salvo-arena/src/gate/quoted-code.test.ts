import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeWords, quotesIn } from './quoted-code.ts';

const holds = (code: string, quote: string) => codeWords(code).includes(codeWords(quote));

describe('a quote is in the code', () => {
  it.each([
    ['whatever its spaces', 'acl    = "private"', 'acl = "private"'],
    ['whatever its quotes and escapes', '"Action": "s3:*"', '\\"Action\\": \\"s3:*\\"'],
    ['with other characters between name and value', 'Action = ["s3:*"]', '"Action": ["s3:*"]'],
    ['over several lines', 'ingress {\n  from_port = 22\n}', 'ingress { from_port = 22 }'],
    ['without the dash of a list', '- CidrIp: 0.0.0.0/0', 'CidrIp: 0.0.0.0/0'],
  ])('%s', (_, code, quote) => {
    expect(holds(code, quote)).toBe(true);
  });

  it.each([
    ['a part of a value', 'acl = "public-read-write"', 'acl = "public-read"'],
    ['a part of a name', 'storage_encrypted = false', 'encrypted = false'],
    ['another value', 'encrypted = true', 'encrypted = false'],
  ])('but not as %s', (_, code, quote) => {
    expect(holds(code, quote)).toBe(false);
  });

  it('as any sequence of whole lines', () => {
    const line = fc.stringMatching(/^[a-z_]{1,8} = "[a-z0-9./*-]{1,8}"$/);
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), fc.nat(), fc.nat(), (lines, from, length) => {
        const start = from % lines.length;
        const quote = lines.slice(start, start + 1 + (length % lines.length)).join('   ');
        expect(holds(lines.join('\n'), quote)).toBe(true);
      }),
    );
  });
});

describe('the lines of evidence', () => {
  it('are distinguished from remarks', () => {
    const isCode = (line: string) => quotesIn(line)[0]?.isCode;
    expect(isCode('publicly_accessible = true')).toBe(true);
    expect(isCode('PubliclyAccessible: true')).toBe(true);
    expect(isCode('resource "aws_s3_bucket" "a"')).toBe(true);
    expect(isCode('storage_encrypted is not set')).toBe(false);
    expect(isCode('storage_encrypted = (missing)')).toBe(false);
    expect(isCode('# no encryption here = bad')).toBe(false);
    expect(isCode('Note: the bucket can be read by anyone')).toBe(false);
  });

  it('are split at an ellipsis', () => {
    expect(quotesIn('ingress {\n  ...\n  from_port = 22\n}\n```').map(({ line }) => line)).toEqual([
      'ingress {',
      'from_port = 22',
    ]);
  });

  it('may have a number, a file, a comment or backticks around them', () => {
    const readings = (line: string) => quotesIn(line)[0]?.readings ?? [];
    expect(readings('12: acl = "x"')).toContain('acl = "x"');
    expect(readings('acl = "x"  # open to all')).toContain('acl = "x"');
    expect(readings('main.tf:12 - acl = "x"')).toContain('acl = "x"');
    expect(readings('It says `acl = "x"` there')).toContain('acl = "x"');
  });
});
