import { defineExtension } from 'salvo/kit/extension';

/** What this package adds to Salvo. */
export default defineExtension({
  name: 'salvo-postgres',
  doors: {
    database: async () => {
      const { migrateDatabase: migrate, openPostgresStore: open } = await import('./store/open-postgres-store.ts');
      return { protocols: ['postgres:', 'postgresql:'], open, migrate };
    },
    workers: async () => {
      const { performWork: perform } = await import('./work/perform-work.ts');
      const { whyWaiting } = await import('./work/why-no-worker.ts');
      return { perform, whyWaiting };
    },
    commands: async () => (await import('./cli/commands-door.ts')).commandsDoor,
  },
});
