import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

// Preloaded into a process: writes what it has loaded, when it ends. The addresses of all modules, Node's own modules, and
// how many schemas zod has built.
const loaded = [];
let schemas = 0;
registerHooks({
  load(url, context, nextLoad) {
    loaded.push(url);
    return nextLoad(url, context);
  },
});
// zod calls it for each schema.
globalThis.__zod_globalConfig = {
  postProcessor: () => {
    schemas += 1;
  },
};
process.on('exit', () => {
  const builtins = process.moduleLoadList.flatMap((name) => name.match(/(?<=^NativeModule )[\w/]+$/) ?? []);
  writeFileSync(process.env.SALVO_TEST_LOADED ?? '', JSON.stringify({ loaded, schemas, builtins }));
});
