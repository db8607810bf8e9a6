import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteFinder } from './find-quote.ts';

const MAIN =
  'resource "aws_s3_bucket" "a" {\n  acl   = "public-read"\n}\n\nresource "aws_s3_bucket" "b" {\n\tacl = "public-read"\r\n}\n';
const find = quoteFinder({ 'main.tf': MAIN, 'other.tf': 'x_y = true\n' });

describe('a quote', () => {
  it('is found whatever the blanks between its words are', () => {
    expect(find({ text: 'acl="public-read"', file: 'main.tf' })).toEqual({ file: 'main.tf', line: 2, end_line: 2 });
    expect(find({ text: '  acl = "public-read"\n}\n', file: 'main.tf' })).toEqual({
      file: 'main.tf',
      line: 2,
      end_line: 3,
    });
  });

  it('is the place nearest to the line that is named', () => {
    expect(find({ text: 'acl = "public-read"', file: 'main.tf', line: 7 })?.line).toBe(6);
    expect(find({ text: 'acl = "public-read"', file: 'main.tf', line: 1 })?.line).toBe(2);
  });

  it('may be in backticks and include line numbers', () => {
    expect(find({ text: '`acl = "public-read"`' })?.line).toBe(2);
    expect(find({ text: '```hcl\n 2 |   acl   = "public-read"\n 3 | }\n```' })?.line).toBe(2);
  });

  it('has to be in the file that it names, word for word', () => {
    expect(find({ text: 'x_y = true', file: 'other.tf' })?.line).toBe(1);
    expect(find({ text: 'x_y = true', file: 'main.tf' })).toBeNull();
    expect(find({ text: 'x_y = true', file: 'none.tf' })).toBeNull();
    expect(find({ text: 'x_y = true' })?.file).toBe('other.tf');
    expect(find({ text: 'acl = "public-read-write"' })).toBeNull();
    expect(find({ text: 'ACL = "public-read"' })).toBeNull();
  });

  it('must contain a word', () => {
    for (const text of ['', ' ', '}', '{\n}', '= "', '1 | }']) expect(find({ text })).toBeNull();
  });

  it('of any line of any text is found in a line that says the same', () => {
    const line = fc.stringMatching(/^[a-z =#"{}\t]{0,12}$/);
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), fc.nat(), (lines, pick) => {
        const quote = lines[pick % lines.length] ?? '';
        const place = quoteFinder({ f: lines.join('\n') })({ text: quote, file: 'f', line: (pick % lines.length) + 1 });
        if (place) expect(place.line).toBe((pick % lines.length) + 1);
        else expect(quote.replaceAll(/\s/g, '')).toMatch(/^.{0,3}$|^(?!.*[a-z]{2})/);
      }),
    );
  });
});
