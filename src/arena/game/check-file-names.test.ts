import { describe, expect, test } from 'vitest';
import { RedTeamError } from '../red/red-team-error.ts';
import { checkFileNames } from './check-file-names.ts';

describe('checkFileNames', () => {
  test('lets pass what people call their files', () => {
    const names = ['main.tf', 'modules/edge/main.tf', 'a b.yaml', 'prod.auto.tfvars', '.tflint', 'ünï.tf'];
    expect(() => checkFileNames(names)).not.toThrow();
  });

  test.each([
    ['../main.tf', /leads out/],
    ['modules/../../x.tf', /leads out/],
    ['/etc/passwd', /no path/],
    ['modules//x.tf', /no path/],
    ['./x.tf', /no path/],
    ['', /no path/],
    ['..\\x.tf', /characters/],
    ['C:/x.tf', /characters/],
    ['x\u0000.tf', /characters/],
    ['x.tf.', /ends with/],
    ['a'.repeat(201), /longer/],
  ])('refuses %j', (name, problem) => {
    expect(() => checkFileNames(['main.tf', name])).toThrow(RedTeamError);
    expect(() => checkFileNames(['main.tf', name])).toThrow(problem);
  });

  test('refuses names that one disk or another cannot hold together', () => {
    expect(() => checkFileNames(['Main.tf', 'main.tf'])).toThrow(/alike/);
    expect(() => checkFileNames(['modules/x.tf', 'modules'])).toThrow(/both a file and a folder/);
  });

  test('refuses no files at all', () => {
    expect(() => checkFileNames([])).toThrow(/no code/);
  });
});
