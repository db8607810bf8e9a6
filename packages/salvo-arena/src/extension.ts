import { defineExtension } from 'salvo/kit/extension';

/** What this package adds to Salvo. */
export default defineExtension({
  name: 'salvo-arena',
  doors: {
    tables: async () => (await import('./store/experiment-tables.ts')).experimentModule,
  },
});
