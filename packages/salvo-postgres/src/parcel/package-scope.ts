import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { isRecord } from 'salvo/kit/text';

const SCRIPTS = new Set(['.ts', '.js', '.mts', '.mjs', '.cts', '.cjs']);

/** The part of a package.json that decides how Node loads a module. The rest may change without any effect. */
export interface PackageScope {
  file: string;
  content: Buffer;
}

/** The package.json that Node uses for a module, if it says something about modules; null otherwise. */
export function packageScopeOf(module: string): PackageScope | null {
  if (!SCRIPTS.has(extname(module).toLowerCase())) return null;
  for (let folder = dirname(module); ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file)) return scopeIn(file);
    if (folder === dirname(folder) || basename(folder) === 'node_modules') return null;
  }
}

function scopeIn(file: string): PackageScope | null {
  const manifest = readManifest(file);
  const { type, imports } = manifest;
  if (type === undefined && imports === undefined) return null;
  return { file, content: Buffer.from(JSON.stringify({ type, imports })) };
}

function readManifest(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
