import { dirname, posix } from 'node:path';

interface Import {
  from: string;
  to: string;
}

const IMPORT = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;
/** The package and the room of a file; an entry of a package has no room. Pages are a room. */
const PLACE = /^packages\/(?<name>[^/]+)\/(?:(?=web\/)|src\/)(?:(?<room>[^/]+)\/)?/;

/**
 * Everything that is wrong with the imports of `files` (path to text): a file that belongs to no room, an import upwards, one
 * that leaves its package past `exports`, a cycle of files.
 */
export function importProblems(
  files: ReadonlyMap<string, string>,
  rooms: Readonly<Record<string, readonly string[]>>,
): string[] {
  const imports = [...files].flatMap(([from, text]) =>
    [...text.matchAll(IMPORT)].map(([, specifier = '']) => ({ from, to: posix.join(dirname(from), specifier) })),
  );
  const floorOf = (file: string): number => {
    const { name = '', room } = placeOf(file);
    return room === undefined ? Number.POSITIVE_INFINITY : (rooms[name]?.indexOf(room) ?? -1);
  };
  const homeless = [...files.keys()].filter((file) => floorOf(file) === -1);
  return [
    ...homeless.map((file) => `${file}: its room is not in scripts/rooms.ts`),
    ...imports.flatMap(({ from, to }) => {
      const [source, target] = [placeOf(from), placeOf(to)];
      if (source.name !== target.name) return [`${from}: ${to} is in another package`];
      if (floorOf(from) >= floorOf(to)) return [];
      return [`${from}: ${source.room} is below ${target.room ?? 'the entries'} (${to})`];
    }),
    ...cycles(files, imports),
  ];
}

function placeOf(file: string): { name?: string; room?: string } {
  return PLACE.exec(file)?.groups ?? {};
}

/** Groups of files that import each other, directly or through others (Tarjan's algorithm). Type imports count. */
function cycles(files: ReadonlyMap<string, string>, imports: readonly Import[]): string[] {
  const importsOf = Map.groupBy(imports, ({ from }) => from);
  const found: string[] = [];
  const indices = new Map<string, number>();
  const path: string[] = [];
  const onPath = new Set<string>();
  /** The lowest index on the path that the file reaches. */
  const visit = (file: string): number => {
    const index = indices.size;
    indices.set(file, index);
    path.push(file);
    onPath.add(file);
    let lowest = index;
    for (const { to } of importsOf.get(file) ?? []) {
      if (!files.has(to)) continue;
      const known = indices.get(to);
      if (known === undefined) lowest = Math.min(lowest, visit(to));
      else if (onPath.has(to)) lowest = Math.min(lowest, known);
    }
    if (lowest === index) {
      const group = path.splice(path.indexOf(file));
      for (const member of group) onPath.delete(member);
      if (group.length > 1) found.push(`cycle: ${group.sort().join(', ')}`);
    }
    return lowest;
  };
  for (const file of files.keys()) if (!indices.has(file)) visit(file);
  return found;
}

const KIT = /^packages\/salvo\/src\/kit\/(?<kit>[\w-]+)\.ts$/;
const EXPORTED = /export (?:type )?\{([^}]*)\}/g;
/** `import { a } from`, `const { a } = await import(` and `(await import(...)).a` of a kit. */
const KIT_IMPORTS = [
  /(?:import|export) (?:type )?\{(?<names>[^}]*)\} from 'salvo\/kit\/(?<kit>[\w-]+)'/g,
  /\{(?<names>[^{}]*)\} = await import\('salvo\/kit\/(?<kit>[\w-]+)'\)/g,
  /import\('salvo\/kit\/(?<kit>[\w-]+)'\)\)\.(?<names>\w+)/g,
];

/**
 * Names that a kit exports and nobody uses: no package in `files`, and none that reads `guide`, which names what is
 * meant for extensions of others. Knip takes a kit for an entry, whose names may all be used elsewhere.
 */
export function unusedKitNames(files: ReadonlyMap<string, string>, guide: string): string[] {
  const used = new Set(
    [...files.values()].flatMap((text) =>
      KIT_IMPORTS.flatMap((form) =>
        [...text.matchAll(form)].flatMap(({ groups: { kit, names = '' } = {} }) =>
          namesIn(names).map(([name]) => `${kit} ${name}`),
        ),
      ),
    ),
  );
  return [...files].flatMap(([file, text]) => {
    const kit = KIT.exec(file)?.groups?.kit;
    if (kit === undefined) return [];
    const names = [...text.matchAll(EXPORTED)].flatMap(([, list = '']) =>
      namesIn(list).map((each) => each.at(-1) ?? ''),
    );
    return names
      .filter((name) => !used.has(`${kit} ${name}`) && !new RegExp(`\\b${name}\\b`).test(guide))
      .map((name) => `${file}: no package imports ${name}`);
  });
}

/** Each name, and what it is called afterwards if that differs. */
function namesIn(list: string): string[][] {
  const written = list.split(',').map((name) => name.trim().replace(/^type /, ''));
  return written.filter((name) => name !== '').map((name) => name.split(/ as |: /));
}
