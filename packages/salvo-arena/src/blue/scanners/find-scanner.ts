import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { delimiter, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import { pathVariable, type Scanner } from './scanners.ts';

/** Where scanners are looked for. */
export interface ScannerContext {
  env: Readonly<Record<string, string | undefined>>;
  /** Paths in variables are relative to this folder, and packages are those of its project. */
  root: string;
}

export type FoundScanner = { path: string; rules: string | null } | { missing: string };

/** The program of a scanner and the rules that it needs for a language; or what is missing, as text for the user. */
export function findScanner(scanner: Scanner, language: CodeLanguage, context: ScannerContext): FoundScanner {
  const { name, install } = scanner;
  const variable = pathVariable(scanner);
  const packaged = name === 'cfn-guard' ? cfnGuardPackage(context.root) : null;
  const named = context.env[variable];
  const path = named
    ? programAt(resolve(context.root, named), name)
    : (onPath(name, context) ?? packaged?.path ?? null);
  if (path === null) {
    return {
      missing: named
        ? `${variable} names ${named}, which is not a program`
        : `${name} is not on the PATH. Install it (${install}), or set ${variable}`,
    };
  }
  const rules = rulesFor(scanner, language, context) ?? packaged?.rules ?? null;
  if (rules !== null || !scanner.rules?.required) return { path, rules };
  return { missing: `${name} has no rules for ${language}: set ${scanner.rules.variable} to where they are` };
}

function rulesFor({ rules }: Scanner, language: CodeLanguage, { env, root }: ScannerContext): string | null {
  if (rules === null) return null;
  const named = env[rules.variable];
  // A path if it exists, otherwise a name of the registry such as p/terraform.
  if (named) return isOnDisk(named, { root }) ? resolve(root, named) : named;
  return rules.by_default[language] ?? null;
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

/** A variable may also name the folder that the program is in. */
function programAt(path: string, name: string): string | null {
  try {
    if (statSync(path).isDirectory()) return path.endsWith(`/${name}`) ? null : programAt(join(path, name), name);
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return null;
  }
}

/** Whether rules are a file or folder; if not, the scanner downloads them by their name. */
export function isOnDisk(rules: string, { root }: Pick<ScannerContext, 'root'>): boolean {
  return statSync(resolve(root, rules), { throwIfNoEntry: false }) !== undefined;
}

/** The package contains cfn-guard and rules for it. It needs aws-cdk-lib, so Salvo does not depend on it. */
const PACKAGE = '@cdklabs/cdk-validator-cfnguard';

/** cfn-guard and its rules from the npm package, if the user's project has it. Nothing of the package is loaded. */
function cfnGuardPackage(root: string): { path: string; rules: string } | null {
  const folder = packageFolder(root);
  if (folder === null) return null;
  const platform = process.platform === 'darwin' ? 'macos' : 'ubuntu';
  const architecture = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  // Older versions have binaries for one architecture, one folder higher.
  const programs = [join(platform, architecture), platform].map((way) => join(folder, 'bin', way, 'cfn-guard'));
  const path = programs.find((program) => existsSync(program));
  const rules = join(folder, 'rules', 'control-tower', 'cfn-guard');
  return path !== undefined && existsSync(rules) ? { path, rules } : null;
}

function packageFolder(root: string): string | null {
  try {
    const manifest = findPackageJSON(PACKAGE, pathToFileURL(join(root, 'salvo.yaml')));
    return manifest === undefined ? null : dirname(manifest);
  } catch {
    return null;
  }
}
