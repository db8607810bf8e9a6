import type { Plugin } from 'rolldown';

const IMPORT = /^import (?:(?:\* as )?([\w$]+)|\{([^}]*)\}) from ("node:[\w/]+");$/gm;

/**
 * Takes Node's own modules as values instead of importing them. For an import Node makes a list of all exports of the
 * module, and therefore runs every getter among them: `node:fs` loads its streams, and `node:util` its decoders.
 */
export function quickBuiltins(): Plugin {
  return {
    name: 'quick-builtins',
    renderChunk(code) {
      const quick = code.replaceAll(
        IMPORT,
        (_, whole: string | undefined, parts: string | undefined, module: string) => {
          const name = whole ?? `{${parts?.replaceAll(/ as /g, ': ')}}`;
          return `const ${name} = globalThis.process.getBuiltinModule(${module});`;
        },
      );
      const left = /^(?:import|export)\b.*"node:.*$/m.exec(quick)?.[0];
      if (left !== undefined) throw new Error(`scripts/quick-builtins.ts cannot replace: ${left}`);
      return quick;
    },
  };
}
