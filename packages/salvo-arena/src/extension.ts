import { defineExtension } from 'salvo/kit/extension';

/** What this package adds to Salvo. */
export default defineExtension({
  name: 'salvo-arena',
  doors: { viewer: async () => (await import('./server/viewer-door.ts')).viewerDoor },
});
