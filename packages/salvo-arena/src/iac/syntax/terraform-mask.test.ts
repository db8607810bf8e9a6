// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Terraform and CloudFormation write their templates like this.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskTerraform } from './terraform-mask.ts';

describe('maskTerraform', () => {
  it('hides backslashes in heredocs, and no others', () => {
    expect(maskTerraform('a = "\\n"\nb = <<EOF\n\\x ${f("\\"")} $${\\y}\n  EOF\nc = "\\""\n')).toBe(
      'a = "\\n"\nb = <<EOF\n_x ${f("\\"")} $${_y}\n  EOF\nc = "\\""\n',
    );
  });

  it('does not change what only looks like a heredoc', () => {
    const text = '# <<EOF\na = "\\""\n';
    expect(maskTerraform(text)).toBe(text);
  });

  it('replaces exponents by digits', () => {
    expect(maskTerraform('a = 1e3 + 2E-10')).toBe('a = 103 + 20010');
  });

  it('never changes the length of a text', () => {
    const pieces = fc.constantFrom(
      '<<EOF\n',
      'EOF\n',
      '\\',
      '${',
      '}',
      '1e3',
      '$',
      '{',
      '\n',
      'é😀',
      '<<-A\r\n',
      'A\r\n',
    );
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        expect(maskTerraform(parts.join(''))).toHaveLength(parts.join('').length);
      }),
    );
  });
});
