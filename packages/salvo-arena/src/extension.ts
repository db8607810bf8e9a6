import { defineExtension } from 'salvo/kit/extension';

/** What this package adds to Salvo. */
export default defineExtension({
  name: 'salvo-arena',
  doors: {
    work: async () => [(await import('./app/experiments/experiment-kind.ts')).experimentKind],
    display: async () => [(await import('./cli/terminal/experiment-display.ts')).experimentDisplay],
  },
});
