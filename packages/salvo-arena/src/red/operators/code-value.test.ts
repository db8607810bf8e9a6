import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { createScope } from '../../iac/evaluate/scope.ts';
import { parseCode } from '../../iac/syntax/parse-code.ts';
import { codeValue } from './code-value.ts';

const scalar = fc.oneof(
  fc.string(),
  fc.boolean(),
  fc.integer(),
  fc.constantFrom('on', 'No', '1.0', '0.0.0.0/0', '*', 'a: b', '${', '%{'),
);
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }));

describe('codeValue', () => {
  it('writes YAML that is read as the same value', () => {
    fc.assert(
      fc.property(value, (json) => {
        const read = parseDocument(`Key: ${codeValue({ syntax: 'yaml' }, json)}\n`, { version: '1.1' });
        expect(read.toJS()).toEqual({ Key: json });
      }),
    );
  });

  it('writes HCL that evaluates to the same value', async () => {
    await fc.assert(
      fc.asyncProperty(value, async (json) => {
        const code = `resource "a_b" "c" {\n  key = ${codeValue({ syntax: 'hcl' }, json)}\n}\n`;
        const project = await parseCode({ 'main.tf': code });
        const [view] = createScope(project).instances('a_b');
        expect(view?.get('key')?.value).toEqual({ known: true, value: json });
      }),
      { numRuns: 50 },
    );
  });

  it('writes JSON as JSON', () => {
    expect(codeValue({ syntax: 'json' }, ['a', { b: true }])).toBe('["a",{"b":true}]');
  });
});
