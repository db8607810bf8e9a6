import { defineExtension } from 'salvo/kit/extension';

/** What this package adds to Salvo. */
export default defineExtension({
  name: 'salvo-postgres',
  doors: {
    commands: async () => (await import('./cli/commands-door.ts')).commandsDoor,
  },
});
