import type { ViewerDoor } from 'salvo/kit/server';
import { experimentRoutes } from './experiment-routes.ts';

/** What this package adds to Salvo's viewer. */
export const viewerDoor: ViewerDoor = {
  pages: { script: builtFile('pages.js'), style: builtFile('pages.css') },
  addRoutes: experimentRoutes,
  subjects: ['experiment', 'game'],
  find: async (store, words) => (await import('./find-experiment.ts')).findExperimentOrGame(store, words),
};

/** From source it is in the folder `dist` of the package, where the code itself is once it is built. */
function builtFile(name: string): URL {
  const here = import.meta.url;
  const dist = here.endsWith('.ts') ? new URL('../../dist/', here) : here.slice(0, here.lastIndexOf('/dist/') + 6);
  return new URL(`web/${name}`, dist);
}
