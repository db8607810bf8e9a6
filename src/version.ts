import { readFileSync } from 'node:fs';

/** The version of this package, read from its manifest: one level up from `src/` and from `dist/` alike. */
export function salvoVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : null;
  return typeof version === 'string' ? version : 'unknown';
}
