import { build } from 'vite';

/** The viewer's pages. */
export async function buildPages(outDir: string): Promise<void> {
  await buildWeb('packages/salvo/web', outDir);
}

/** The pages that salvo-arena adds to the viewer. */
export async function buildArenaPages(outDir: string): Promise<void> {
  await buildWeb('packages/salvo-arena/web', outDir);
}

/** `outDir` is an absolute path. What it had is removed. */
async function buildWeb(root: string, outDir: string): Promise<void> {
  await build({ root, logLevel: 'warn', build: { outDir, emptyOutDir: true } });
}
