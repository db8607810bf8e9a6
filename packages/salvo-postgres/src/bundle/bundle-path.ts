/** Names that Windows keeps for devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;
/** Names that some file system cannot hold, or reads as another name. */
const UNUSUAL = /[\u0000-\u001f\u007f<>:"|?*\\]|[. ]$/;
/** A bundle brings no packages, no repository and nothing that Salvo stored. */
const KEPT_BACK = new Set(['node_modules', '.git', '.salvo']);

const MOST_BYTES = 1000;
const MOST_BYTES_OF_A_NAME = 255;

/** Why no bundle may have a file of this path, relative and with forward slashes; null if it may. */
export function bundlePathProblem(path: string): string | null {
  if (path === '' || Buffer.byteLength(path) > MOST_BYTES) return 'it is empty or too long';
  if (path.startsWith('/')) return 'it is absolute';
  for (const name of path.split('/')) {
    if (name === '' || name === '.' || name === '..')
      return 'it leads out of the folder, or is not in its shortest form';
    if (UNUSUAL.test(name)) return 'it has a character that not every file system allows';
    if (DEVICE.test(name)) return `"${name}" is the name of a device on Windows`;
    if (Buffer.byteLength(name) > MOST_BYTES_OF_A_NAME || !name.isWellFormed())
      return 'a name in it is too long or broken';
    if (KEPT_BACK.has(name.toLowerCase())) return `"${name}" is never part of a bundle`;
  }
  return null;
}

/** The first path that some file system takes for another one of the list, or that is a folder of one; else null. */
export function clashingPath(paths: readonly string[]): string | null {
  const files = new Set<string>();
  const folders = new Set<string>();
  for (const path of paths) {
    const folded = path.normalize('NFC').toLowerCase();
    if (files.has(folded) || folders.has(folded)) return path;
    files.add(folded);
    for (let at = folded.lastIndexOf('/'); at > 0; at = folded.lastIndexOf('/', at - 1)) {
      const folder = folded.slice(0, at);
      if (files.has(folder)) return path;
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return null;
}
