import { describe, expect, test } from 'vitest';
import { RedTeamError } from '../red/red-team-error.ts';
import { checkFileNames } from './check-file-names.ts';

describe('checkFileNames', () => {
  test('accepts ordinary file names', () => {
    const names = ['main.tf', 'modules/edge/main.tf', 'a b.yaml', 'prod.auto.tfvars', '.tflint', 'ünï.tf'];
    expect(() => checkFileNames(names)).not.toThrow();
  });

  test.each([
    ['../main.tf', /leads out/],
    ['modules/../../x.tf', /leads out/],
    ['/etc/passwd', /not a relative path/],
    ['modules//x.tf', /not a relative path/],
    ['./x.tf', /not a relative path/],
    ['', /not a relative path/],
    ['..\\x.tf', /characters/],
    ['C:/x.tf', /characters/],
    ['x\u0000.tf', /characters/],
    ['x.tf.', /ends with/],
    ['a'.repeat(201), /longer/],
  ])('refuses %j', (name, problem) => {
    expect(() => checkFileNames(['main.tf', name])).toThrow(RedTeamError);
    expect(() => checkFileNames(['main.tf', name])).toThrow(problem);
  });

  test('refuses names that collide on some file systems', () => {
    expect(() => checkFileNames(['Main.tf', 'main.tf'])).toThrow(/alike/);
    expect(() => checkFileNames(['modules/x.tf', 'modules'])).toThrow(/both a file and a folder/);
  });

  test('refuses no files at all', () => {
    expect(() => checkFileNames([])).toThrow(/no code/);
  });
});
