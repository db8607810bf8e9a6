import { dirname, posix } from 'node:path';

/** A room of `src/`, with what other rooms may import of it. */
export interface Room {
  name: string;
  /** Files that other rooms may import, by their path in the room without `.ts`; `all` opens every file. */
  face: 'all' | readonly string[];
  /** The room's parts, bottom first. A room without parts is one part. */
  parts?: readonly Part[];
}

/** A sub-room (a folder), or files that lie directly in the room. */
export interface Part {
  /** The folder; with `files`, a name that the messages use. */
  name: string;
  /** What other parts of the room may import, without `.ts`; `all` opens every file. */
  face: 'all' | readonly string[];
  /** For files directly in the room: which. */
  files?: 'rest' | readonly string[];
}

interface Import {
  from: string;
  to: string;
}

const IMPORT = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/**
 * Everything that is wrong with the imports of `files` (path from `src/` to text): a room that the house does not
 * list, an import upwards, an import past a face, a name in a face that nothing uses, a cycle of files.
 */
export function importProblems(files: ReadonlyMap<string, string>, house: readonly Room[]): string[] {
  const imports = importsOf(files);
  return [
    ...unknownRooms(files, house),
    ...roomProblems(imports, house),
    ...house.flatMap((room) => partProblems(room, imports, files)),
    ...unusedFaces(imports, house),
    ...cycles(files, imports),
  ];
}

function importsOf(files: ReadonlyMap<string, string>): Import[] {
  return [...files].flatMap(([from, text]) =>
    [...text.matchAll(IMPORT)].map(([, specifier = '']) => ({ from, to: posix.join(dirname(from), specifier) })),
  );
}

function unknownRooms(files: ReadonlyMap<string, string>, house: readonly Room[]): string[] {
  const known = new Set(house.map(({ name }) => name));
  return [...files.keys()]
    .filter((file) => !isEntry(file) && !known.has(roomName(file)))
    .map((file) => `${file}: the room "${roomName(file)}" is not in scripts/house.ts`);
}

function roomProblems(imports: readonly Import[], house: readonly Room[]): string[] {
  const floors = new Map(house.map((room, floor) => [room.name, { room, floor }]));
  return imports.flatMap(({ from, to }) => {
    const target = floors.get(roomName(to));
    if (isEntry(to) && !isEntry(from))
      return [`${from}: imports the public entry ${to}; import the file that holds it`];
    if (!target || roomName(from) === roomName(to)) return [];
    const source = floors.get(roomName(from));
    if (source && source.floor < target.floor)
      return [`${from}: ${source.room.name} is below ${target.room.name} (${to})`];
    return isInFace(target.room.face, withinRoom(to))
      ? []
      : [`${from}: ${to} is not in the face of ${target.room.name}`];
  });
}

function partProblems(room: Room, imports: readonly Import[], files: ReadonlyMap<string, string>): string[] {
  const { parts } = room;
  if (!parts) return [];
  const inside = imports.filter(({ from, to }) => roomName(from) === room.name && roomName(to) === room.name);
  const homeless = [...files.keys()].filter((file) => roomName(file) === room.name && !partOf(parts, file));
  return [
    ...homeless.map((file) => `${file}: its part of the room "${room.name}" is not in scripts/house.ts`),
    ...inside.flatMap(({ from, to }) => {
      const [source, target] = [partOf(parts, from), partOf(parts, to)];
      if (!source || !target || source === target) return [];
      if (parts.indexOf(source) < parts.indexOf(target))
        return [`${from}: ${source.name} is below ${target.name} (${to})`];
      return isInFace(target.face, withinPart(target, to))
        ? []
        : [`${from}: ${to} is not in the face of ${target.name}`];
    }),
  ];
}

/** A face lists what is used, and no more: what nothing imports any longer is closed again. */
function unusedFaces(imports: readonly Import[], house: readonly Room[]): string[] {
  return house.flatMap((room) => {
    const fromOtherRooms = imports.filter(({ from, to }) => roomName(from) !== room.name && roomName(to) === room.name);
    const unused = unusedNames(room.face, new Set(fromOtherRooms.map(({ to }) => withinRoom(to))));
    const inParts = (room.parts ?? []).flatMap((part, _, parts) => {
      const used = imports.filter(
        ({ from, to }) => roomName(from) === room.name && partOf(parts, to) === part && partOf(parts, from) !== part,
      );
      return unusedNames(part.face, new Set(used.map(({ to }) => withinPart(part, to)))).map(
        (name) => `scripts/house.ts: no other part of ${room.name} imports ${name} of ${part.name}`,
      );
    });
    return [...unused.map((name) => `scripts/house.ts: no other room imports ${name} of ${room.name}`), ...inParts];
  });
}

function unusedNames(face: Room['face'], used: ReadonlySet<string>): string[] {
  return face === 'all' ? [] : face.filter((name) => !used.has(name));
}

/** Groups of files that import each other, directly or through others (Tarjan). Type imports count. */
function cycles(files: ReadonlyMap<string, string>, imports: readonly Import[]): string[] {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const found: string[] = [];
  const indices = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const onPath = new Set<string>();
  const visit = (file: string): number => {
    const index = indices.size;
    indices.set(file, index);
    lowest.set(file, index);
    path.push(file);
    onPath.add(file);
    for (const { to } of targets.get(file) ?? []) {
      if (!files.has(to)) continue;
      const reached = indices.has(to) ? (onPath.has(to) ? (indices.get(to) ?? index) : index) : visit(to);
      lowest.set(file, Math.min(lowest.get(file) ?? index, reached));
    }
    if (lowest.get(file) === index) {
      const group = path.splice(path.indexOf(file));
      for (const member of group) onPath.delete(member);
      if (group.length > 1) found.push(`cycle: ${group.sort().join(', ')}`);
    }
    return lowest.get(file) ?? index;
  };
  for (const file of files.keys()) if (!indices.has(file)) visit(file);
  return found;
}

/** The public entries lie directly in `src/`. They may import everything, and nothing imports them. */
function isEntry(file: string): boolean {
  return !file.includes('/');
}

function roomName(file: string): string {
  return file.split('/')[0] ?? file;
}

function withinRoom(file: string): string {
  return file.slice(file.indexOf('/') + 1).replace(/\.ts$/, '');
}

function withinPart(part: Part, file: string): string {
  return part.files ? withinRoom(file) : withinRoom(file).slice(part.name.length + 1);
}

function partOf(parts: readonly Part[], file: string): Part | undefined {
  const path = withinRoom(file);
  const named = parts.find(({ name, files }) =>
    files === undefined ? path.startsWith(`${name}/`) : files !== 'rest' && files.includes(path),
  );
  return named ?? (path.includes('/') ? undefined : parts.find(({ files }) => files === 'rest'));
}

function isInFace(face: Room['face'], name: string): boolean {
  return face === 'all' || face.includes(name);
}
