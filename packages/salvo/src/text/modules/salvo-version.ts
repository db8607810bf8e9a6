import { dataFile } from './data-file.ts';

/** The version of this package. Without zod: `salvo --version` would spend most of its time loading it. */
export function salvoVersion(): string {
  const manifest: unknown = JSON.parse(dataFile(import.meta.url, '../../../package.json'));
  const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : null;
  return typeof version === 'string' ? version : 'unknown';
}
