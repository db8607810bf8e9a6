import { mentionsWord } from '../project/named-files.ts';

/** A declaration at the top level of a module. */
interface Declaration {
  names: string[];
  text: string;
  /** What is imported from where; null for anything but an import. */
  specifier: string | null;
}

/** What a function uses of its module, directly or through other declarations. */
export interface UsedCode {
  /** The declarations, in the order of the module. */
  texts: string[];
  /** The modules that they import. */
  specifiers: string[];
}

/**
 * A function's own text does not show the constants that it uses. This finds them by their names, without parsing: a
 * declaration begins where a line begins with its keyword, as formatters write it. What a function captured otherwise,
 * such as the argument of a function that made it, is not found.
 */
export function usedCode(moduleText: string, used: { name: string; source: string }): UsedCode {
  const all = declarations(moduleText);
  const found = new Set<Declaration>(all.filter(({ names }) => names.includes(used.name)));
  const texts = [used.source];
  for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
    for (const each of all) {
      if (found.has(each) || !each.names.some((name) => mentionsWord(text, name))) continue;
      found.add(each);
      if (each.specifier === null) texts.push(each.text);
    }
  }
  const inOrder = all.filter((each) => found.has(each));
  return {
    texts: inOrder.map(({ text }) => text),
    specifiers: inOrder.flatMap(({ specifier }) => specifier ?? []),
  };
}

const BEGINS = /^(?=[A-Za-z@])/m;
const IMPORT = /^import\s+(?!type\b)([^"'`]*?)\s*from\s*(["'])([^"'\n]+)\2/;
const DECLARES = /^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function\s*\*?|class|enum)\s*([\w$]+)/;
const BINDS = /^(?:export\s+)?(?:const|let|var)\s+([^=]+)/;

function declarations(moduleText: string): Declaration[] {
  return moduleText.split(BEGINS).flatMap((text): Declaration[] => {
    const imported = IMPORT.exec(text);
    if (imported) return [{ names: words(imported[1]), text: text.trim(), specifier: imported[3] ?? null }];
    const names = words(DECLARES.exec(text)?.[1] ?? BINDS.exec(text)?.[1]);
    return names.length === 0 ? [] : [{ names, text: text.trim(), specifier: null }];
  });
}

function words(text = ''): string[] {
  return text.match(/[A-Za-z_$][\w$]*/g)?.filter((word) => word !== 'as' && word !== 'type') ?? [];
}
