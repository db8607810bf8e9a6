import { dirname, posix } from 'node:path';

/** A room of `src/`, or a sub-room: a folder, or some of the files that lie directly in the room around it. */
export interface Room {
  /** The folder's name; with `files`, a name for the messages. */
  name: string;
  /** What its neighbours may import: paths in the room without `.ts`; `all` opens every file. */
  face: 'all' | readonly string[];
  /** For files without a folder of their own: which, without `.ts`. `rest`: all that no other sub-room names. */
  files?: 'rest' | readonly string[];
  /** Its sub-rooms, bottom first: each may import those before it. */
  rooms?: readonly Room[];
}

interface Import {
  from: string;
  to: string;
}

const IMPORT = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/**
 * Everything that is wrong with the imports of `files` (path from `src/` to text): a file that belongs to no room, an
 * import upwards, an import past a face, a name in a face that nothing imports, a cycle of files.
 */
export function importProblems(files: ReadonlyMap<string, string>, house: readonly Room[]): string[] {
  const imports = [...files].flatMap(([from, text]) =>
    [...text.matchAll(IMPORT)].map(([, specifier = '']) => ({ from, to: posix.join(dirname(from), specifier) })),
  );
  return [...levelProblems(house, '', [...files.keys()], imports), ...cycles(files, imports)];
}

/** The rooms of one folder of `src/`; `folder` ends with a slash or is empty. The same rules hold on every level. */
function levelProblems(
  rooms: readonly Room[],
  folder: string,
  allFiles: readonly string[],
  allImports: readonly Import[],
): string[] {
  const roomOf = (file: string) => findRoom(rooms, file.slice(folder.length));
  const files = allFiles.filter((file) => file.startsWith(folder));
  const imports = allImports.filter(({ from, to }) => from.startsWith(folder) && to.startsWith(folder));
  const used = new Map<Room, Set<string>>(rooms.map((room) => [room, new Set()]));
  const problems = files.filter((file) => !roomOf(file)).map((file) => `${file}: its room is not in scripts/house.ts`);
  for (const { from, to } of imports) {
    const [source, target] = [roomOf(from), roomOf(to)];
    if (!source || !target || source === target) continue;
    const name = nameIn(target, to.slice(folder.length));
    used.get(target)?.add(name);
    if (rooms.indexOf(source) < rooms.indexOf(target)) {
      problems.push(`${from}: ${folder}${source.name} is below ${folder}${target.name} (${to})`);
    } else if (target.face !== 'all' && !target.face.includes(name)) {
      problems.push(`${from}: ${to} is not in the face of ${folder}${target.name}`);
    }
  }
  for (const room of rooms) {
    const unused = room.face === 'all' ? [] : room.face.filter((name) => !used.get(room)?.has(name));
    problems.push(...unused.map((name) => `scripts/house.ts: nothing imports ${name} of ${folder}${room.name}`));
  }
  const inside = rooms.flatMap((room) =>
    room.rooms ? levelProblems(room.rooms, `${folder}${room.name}/`, files, imports) : [],
  );
  return [...problems, ...inside];
}

/** `path` is relative to the folder of the rooms. */
function findRoom(rooms: readonly Room[], path: string): Room | undefined {
  const named = rooms.find(({ name, files }) =>
    files === undefined ? path.startsWith(`${name}/`) : files !== 'rest' && files.includes(path.replace(/\.ts$/, '')),
  );
  return named ?? (path.includes('/') ? undefined : rooms.find(({ files }) => files === 'rest'));
}

function nameIn(room: Room, path: string): string {
  return path.slice(room.files ? 0 : room.name.length + 1).replace(/\.ts$/, '');
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
