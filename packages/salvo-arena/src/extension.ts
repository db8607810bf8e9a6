import { defineExtension } from 'salvo/kit/extension';

/** What this package adds to Salvo. */
export default defineExtension({
  name: 'salvo-arena',
  doors: {
    assertions: async () => (await import('./evaluators/assertions-door.ts')).assertionsDoor,
    commands: async () => (await import('./cli/commands-door.ts')).commandsDoor,
    display: async () => [(await import('./cli/terminal/experiment-display.ts')).experimentDisplay],
    documents: async () => (await import('./app/documents/documents-door.ts')).documentsDoor,
    matchers: async () => (await import('./testing/to-catch.ts')).matchersDoor,
    tables: async () => (await import('./store/experiment-tables.ts')).experimentModule,
    viewer: async () => (await import('./server/viewer-door.ts')).viewerDoor,
    work: async () => [(await import('./app/experiments/experiment-kind.ts')).experimentKind],
  },
});
