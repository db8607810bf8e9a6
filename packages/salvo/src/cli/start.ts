import { enableCompileCache } from 'node:module';

/** The flags of V8 that a long run changes, as they are by default and as it sets them. */
const FLAGS = [
  ['--semi-space-growth-factor=2', '--semi-space-growth-factor=1'],
  // What a compilation used is freed when it ends. In the background it waits, up to 20 MB of it.
  ['--maglev-destroy-on-background', '--no-maglev-destroy-on-background'],
] as const;
const MOST_NEW_BYTES = 12 * 2 ** 20;
/** A short command ends before the first look, which loads a module. */
const FIRST_LOOK_MS = 200;
const NEXT_LOOK_MS = 30;

// Before anything else is loaded: without the cache every start compiles all modules again.
enableCompileCache();
const newObjects = limitNewObjects();
const { main } = await import('./run-main.ts');
const exitCode = await main(process.argv, newObjects.look);
newObjects.stopLimiting();
// Exit explicitly: an agent in this process that ignores its time limit may still be running.
process.exit(exitCode);

/**
 * V8 lets the objects of a long run that are still new take 100 MB and more, which saves hardly any time. Here they get
 * 16 MB, or twice that if they had them before the first look. No flag sets this limit while a process runs, so the growth
 * is stopped when it is reached. Call `stopLimiting` at the end: V8 would refuse a compile cache that was written with
 * another flag. Call `look` before many objects are made without a pause, in which no timer would fire.
 */
function limitNewObjects(): { look: () => void; stopLimiting: () => void } {
  let isLimited = false;
  const look = (): void => {
    clearTimeout(next);
    if (isLimited) return;
    // Not imported: it brings streams along, which a short command does not need.
    const { getHeapSpaceStatistics, setFlagsFromString } = process.getBuiltinModule('node:v8');
    const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    isLimited = space !== undefined && space.space_size >= MOST_NEW_BYTES;
    if (isLimited) for (const [, limited] of FLAGS) setFlagsFromString(limited);
    else next = setTimeout(look, NEXT_LOOK_MS).unref();
  };
  let next = setTimeout(look, FIRST_LOOK_MS).unref();
  return {
    look,
    stopLimiting() {
      clearTimeout(next);
      if (!isLimited) return;
      const { setFlagsFromString } = process.getBuiltinModule('node:v8');
      for (const [byDefault] of FLAGS) setFlagsFromString(byDefault);
    },
  };
}
