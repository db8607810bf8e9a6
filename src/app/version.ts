import { readFileSync } from 'node:fs';
import { packageFile } from './package-file.ts';

/** The version of this package, read from its manifest. */
export function salvoVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : null;
  return typeof version === 'string' ? version : 'unknown';
}
