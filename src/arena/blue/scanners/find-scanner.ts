import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { delimiter, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CodeLanguage } from '../../../iac/syntax/code-block.ts';
import type { Scanner } from './scanners.ts';

/** Where scanners are looked for. */
export interface ScannerContext {
  env: Readonly<Record<string, string | undefined>>;
  /** Paths in variables are relative to this folder, and packages are those of its project. */
  root: string;
}

export type FoundScanner = { path: string; rules: string | null } | { missing: string };

/** The program of a scanner and the rules that it needs for a language; or what is missing, in words for the user. */
export function findScanner(scanner: Scanner, language: CodeLanguage, context: ScannerContext): FoundScanner {
  const named = context.env[scanner.pathVariable];
  if (named) {
    const path = programAt(resolve(context.root, named), scanner.name);
    if (path === null) return { missing: `${scanner.pathVariable} names ${named}, which is no program` };
    return withRules(scanner, path, language, context);
  }
  const path = onPath(scanner.name, context);
  if (path !== null) return withRules(scanner, path, language, context);
  const packaged = scanner.name === 'cfn-guard' ? cfnGuardPackage(context.root) : null;
  if (packaged) return { ...packaged, rules: rulesOf(scanner, language, context) ?? packaged.rules };
  return {
    missing: `${scanner.name} is not on the PATH. Install it (${scanner.install}), or set ${scanner.pathVariable}`,
  };
}

function withRules(scanner: Scanner, path: string, language: CodeLanguage, context: ScannerContext): FoundScanner {
  const packaged = scanner.name === 'cfn-guard' ? cfnGuardPackage(context.root)?.rules : undefined;
  const rules = rulesOf(scanner, language, context) ?? packaged ?? null;
  if (rules === null && scanner.rules?.required) {
    return {
      missing: `${scanner.name} brings no rules for ${language}: set ${scanner.rules.variable} to where they are`,
    };
  }
  return { path, rules };
}

function rulesOf({ rules }: Scanner, language: CodeLanguage, { env, root }: ScannerContext): string | null {
  if (rules === null) return null;
  const named = env[rules.variable];
  // A name of the registry such as p/terraform is no path; what exists is.
  if (named) return exists(resolve(root, named)) ? resolve(root, named) : named;
  return rules.byDefault[language] ?? null;
}

function onPath(name: string, { env, root }: ScannerContext): string | null {
  const extensions = process.platform === 'win32' ? ['.exe', ''] : [''];
  for (const folder of (env.PATH ?? env.Path ?? '').split(delimiter)) {
    if (folder === '') continue;
    for (const extension of extensions) {
      const path = programAt(join(resolve(root, folder), name + extension), name);
      if (path !== null) return path;
    }
  }
  return null;
}

/** A variable may also name the folder that the program lies in. */
function programAt(path: string, name: string): string | null {
  try {
    if (statSync(path).isDirectory()) return path.endsWith(`/${name}`) ? null : programAt(join(path, name), name);
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return null;
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** The package that brings cfn-guard and rules for it along. It needs aws-cdk-lib, so Salvo does not depend on it. */
const PACKAGE = '@cdklabs/cdk-validator-cfnguard';

/** cfn-guard and its rules in the npm package, where the user's project has that; nothing of the package is loaded. */
export function cfnGuardPackage(root: string): { path: string; rules: string } | null {
  const folder = folderOf(root);
  if (folder === null) return null;
  const platform = process.platform === 'darwin' ? 'macos' : 'ubuntu';
  const architecture = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  // Before there were binaries for two architectures, they lay one folder higher.
  const programs = [join(platform, architecture), platform].map((way) => join(folder, 'bin', way, 'cfn-guard'));
  const path = programs.find((program) => existsSync(program));
  const rules = join(folder, 'rules', 'control-tower', 'cfn-guard');
  return path !== undefined && existsSync(rules) ? { path, rules } : null;
}

function folderOf(root: string): string | null {
  try {
    const manifest = findPackageJSON(PACKAGE, pathToFileURL(join(root, 'salvo.yaml')));
    return manifest === undefined ? null : dirname(manifest);
  } catch {
    return null;
  }
}
