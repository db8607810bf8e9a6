import { getAdapter } from '../../packages/salvo/src/adapters/registry.ts';

/** Sends one turn and prints how it failed, with the growth of the process's peak memory in MB. */
const [, , options = ''] = process.argv;
const adapter = getAdapter('a', {
  root: process.cwd(),
  adapters: { a: JSON.parse(options) },
  env: { KEY: 'key-12345' },
});
// The SDKs are loaded by a turn that cannot be sent.
const turn = () => adapter.sendTurn([{ role: 'user', content: 'Hi' }], [], { model: 'm' });
await turn().catch(() => {});
const before = process.resourceUsage().maxRSS;
const failure = await turn().then(
  () => 'none',
  (error: unknown) => String(error),
);
process.stdout.write(JSON.stringify({ failure, grownMb: (process.resourceUsage().maxRSS - before) / 1024 }));
