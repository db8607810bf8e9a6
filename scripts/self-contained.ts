import { relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';
import { dataFile, dataFolder } from '../packages/salvo/src/text/modules/data-file.ts';
import { dependencyFile } from '../packages/salvo/src/text/modules/dependency.ts';

const DATA_CALL = /\b(dataFile|dataFolder)\(import\.meta\.url, '([^']+)'\)/g;
const BYTES_CALL = /\bdependencyFile\('([^']+)'\)/g;
const ANY_CALL = /\b(?:dataFile|dataFolder|dependencyFile)\([^)]*\)/;

/**
 * Makes `dist/` need no file but itself: puts in the place of `dataFile(...)`, `dataFolder(...)` and
 * `dependencyFile(...)` what they return. Where such a call is inside a function, so is the text: Node compiles it when
 * the function is first called.
 */
export function selfContained(modules: string): Plugin {
  return {
    name: 'self-contained',
    transform(code, id) {
      const module = relative(resolve(modules), id);
      if (!ANY_CALL.test(code) || /^salvo[\\/]src[\\/]text[\\/]modules[\\/](?:data-file|dependency)\.js$/.test(module))
        return null;
      const source = pathToFileURL(resolve('packages', module)).href;
      const rest = code.replaceAll(DATA_CALL, '').replaceAll(BYTES_CALL, '');
      const left = ANY_CALL.exec(rest)?.[0];
      if (left) throw new Error(`${module}: ${left} can only be replaced when its path is a string literal.`);
      return code
        .replaceAll(DATA_CALL, (_, name: string, path: string) =>
          literal(name === 'dataFile' ? dataFile(source, path) : dataFolder(source, path)),
        )
        .replaceAll(BYTES_CALL, (_, specifier: string) => bytes(dependencyFile(specifier)));
    },
    // After bundling, or rolldown would hide the calls itself. Bundlers follow a plain require(...) with a literal in it;
    // Node has no `require` in such a module.
    renderChunk: (code) =>
      code.replaceAll(
        /\brequireDependency\(("[^"]+")\)/g,
        (call, specifier: string) => `(typeof require === "function" ? require(${specifier}) : ${call})`,
      ),
  };
}

/**
 * In ASCII: V8 stores a source that has any other character with two bytes for each. In parentheses: after an arrow, an
 * object would be a block.
 */
function literal(value: unknown): string {
  const ascii = JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `(${ascii})`;
}

function bytes(value: Uint8Array): string {
  return `Buffer.from("${Buffer.from(value).toString('base64')}", "base64")`;
}
