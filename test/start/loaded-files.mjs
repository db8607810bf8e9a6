import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

// Preloaded into a process: writes the addresses of all modules that it has loaded, when it ends.
const loaded = [];
registerHooks({
  load(url, context, nextLoad) {
    loaded.push(url);
    return nextLoad(url, context);
  },
});
process.on('exit', () => writeFileSync(process.env.SALVO_TEST_LOADED ?? '', JSON.stringify(loaded)));
