import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neutralNames } from './neutral-names.ts';

function shown(files: Record<string, string>): Record<string, string | undefined> {
  return Object.fromEntries(neutralNames(Object.entries(files)));
}

describe('neutral names', () => {
  it('are the real ones where these are common, and numbered otherwise', () => {
    expect(shown({ 'main.tf': '', 'unencrypted-db.tf': '', 'variables.tf': '', 'wide-open.yaml': '' })).toEqual({
      'main.tf': 'main.tf',
      'unencrypted-db.tf': 'file-1.tf',
      'variables.tf': 'variables.tf',
      'wide-open.yaml': 'file-2.yaml',
    });
  });

  it('keep the parts of a name that Terraform interprets', () => {
    expect(
      shown({ 'weak.auto.tfvars': '', 'weak_override.tf': '', 'weak.tf.json': '', 'terraform.tfvars': '' }),
    ).toEqual({
      'weak.auto.tfvars': 'file-1.auto.tfvars',
      'weak_override.tf': 'file-3_override.tf',
      'weak.tf.json': 'file-2.tf.json',
      'terraform.tfvars': 'terraform.tfvars',
    });
  });

  it('are the real ones where the code refers to them', () => {
    const files = {
      'root.tf': 'module "e" { source = "./parts/edge" }\npolicy = file("./open-policy.json")',
      'parts/edge/main.tf': '',
      'parts/leaky/main.tf': '',
      'open-policy.json': '{}',
    };
    expect(Object.values(shown(files))).toEqual([
      'open-policy.json',
      'parts/edge/main.tf',
      'parts/folder-3/main.tf',
      'file-1.tf',
    ]);
  });

  it('stay below the folder, are all different, and can be mapped back', () => {
    const step = fc.constantFrom(
      '..',
      '.',
      '',
      'main.tf',
      'MAIN.tf',
      'a',
      '/',
      'C:',
      '__proto__',
      '-rf',
      'x y',
      'é.tf',
      '~',
      '\0',
    );
    const name = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => steps.join('/'));
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 10 }), (names) => {
        const neutral = neutralNames(names.map((each) => [each, 'x']));
        expect([...neutral.keys()].sort()).toEqual(names.toSorted());
        const values = [...neutral.values()];
        expect(new Set(values.map((value) => value.toLowerCase())).size).toBe(values.length);
        for (const value of values) expect(value).toMatch(/^(?:[A-Za-z0-9][\w.-]*\/)*[A-Za-z0-9][\w.-]*$/);
      }),
    );
  });
});
