import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import type { CodeLanguage } from '../../../iac/syntax/code-block.ts';
import { cfnGuardPackage } from './cfn-guard-package.ts';
import type { Scanner } from './scanner.ts';

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
