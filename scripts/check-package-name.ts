// `npm run check-name`, and before every `npm publish`: is the name in package.json of this folder free, or ours?
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { askForPackageName } from './package-name.ts';

const manifestSchema = z.object({
  name: z.string(),
  repository: z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)]).optional(),
  publishConfig: z.object({ registry: z.string().optional() }).optional(),
});

const EXIT_CODES = { free: 0, ours: 0, taken: 1, unknown: 3 };

const manifest = manifestSchema.parse(JSON.parse(readFileSync('package.json', 'utf8')));
const registry = manifest.publishConfig?.registry ?? process.env.npm_config_registry ?? 'https://registry.npmjs.org/';
const { status, message } = await askForPackageName({
  name: manifest.name,
  registry,
  user: loggedIn(registry),
  repository: manifest.repository ?? null,
});
process.stdout.write(`${message}\n`);
process.exitCode = EXIT_CODES[status];

function loggedIn(at: string): string | null {
  try {
    const whoami = ['whoami', '--registry', at];
    return execFileSync('npm', whoami, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    // Nobody is logged in.
    return null;
  }
}
