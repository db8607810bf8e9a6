import { existsSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

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
