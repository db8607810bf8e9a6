import { posix } from 'node:path';
import type { Plugin } from 'rolldown';

const FACADE = /^export \{ ([^}]+) \} from "(\.{1,2}\/[^"]+)";\s*$/;

/**
 * Removes the files that only give the exports of a joined file their own names again. Rolldown makes one for every
 * dynamic import of a module that was joined with others, and Node would open one file more for each.
 */
export function withoutFacades(): Plugin {
  return {
    name: 'without-facades',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const facades = new Map(
        chunks.flatMap(({ fileName, isEntry, code }) => {
          const [, names, from] = (!isEntry && FACADE.exec(code)) || [];
          if (names === undefined || from === undefined) return [];
          return [[fileName, { names, file: posix.join(posix.dirname(fileName), from) }] as const];
        }),
      );
      for (const chunk of chunks) {
        const folder = posix.dirname(chunk.fileName);
        chunk.code = chunk.code.replaceAll(/\bimport\("(\.{1,2}\/[^"]+)"\)/g, (call, path: string) => {
          const facade = facades.get(posix.join(folder, path));
          if (facade === undefined) return call;
          const names = facade.names.split(', ').map((name) => {
            const [inner = name, outer = inner] = name.split(' as ');
            return `${outer}: all.${inner}`;
          });
          return `import("./${posix.relative(folder, facade.file)}").then((all) => ({ ${names.join(', ')} }))`;
        });
      }
      for (const file of facades.keys()) delete bundle[file];
    },
  };
}
