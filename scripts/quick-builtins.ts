import type { Plugin } from 'rolldown';

const CHILD_PROCESS = '"node:child_process"';
/** Takes milliseconds to load, and most runs call none of its functions. */
const LATE = '"node:zlib"';
const IMPORT = /^import (?:(?:\* as )?([\w$]+))?(?:, )?(?:\{([^}]*)\})? from ("node:[\w/]+");$/gm;

/**
 * Takes Node's own modules as values instead of importing them. For an import Node makes a list of all exports of the
 * module, and therefore runs every getter among them: `node:fs` loads its streams, and `node:util` its decoders.
 */
export function quickBuiltins(): Plugin {
  return {
    name: 'quick-builtins',
    renderChunk(code) {
      const quick = code
        .replaceAll(IMPORT, (_, whole: string | undefined, parts: string | undefined, module: string) => {
          if (module === LATE && whole === undefined && parts !== undefined)
            return parts.split(',').map(late).join('\n');
          const names = [whole, parts && `{${parts.replaceAll(' as ', ': ')}}`].filter((name) => name !== undefined);
          return names.map((name) => `const ${name} = ${builtin(module)};`).join('\n');
        })
        // Commander's, which starts programs that are commands of others. Salvo has none.
        .replace(`const childProcess = ${builtin(CHILD_PROCESS)};`, '')
        .replaceAll('childProcess.spawn(', `${builtin(CHILD_PROCESS)}.spawn(`);
      const left = /^(?:import|export)\b.*"node:.*$/m.exec(quick)?.[0];
      if (left !== undefined) throw new Error(`scripts/quick-builtins.ts cannot replace: ${left}`);
      return quick;
    },
  };
}

/** A function that looks for the real one when it is called. */
function late(part: string): string {
  const [name = '', own = name] = part.trim().split(' as ');
  return `const ${own} = (...all) => ${builtin(LATE)}.${name}(...all);`;
}

function builtin(module: string): string {
  return `globalThis.process.getBuiltinModule(${module})`;
}
