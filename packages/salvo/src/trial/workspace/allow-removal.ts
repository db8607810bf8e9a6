import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Gives back the rights to all folders below, so that their content can be removed. */
export function allowRemoval(folder: string): void {
  const open = [folder];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    try {
      chmodSync(each, 0o700);
      for (const entry of readdirSync(each, { withFileTypes: true })) {
        // Not through a link: it could lead anywhere.
        if (entry.isDirectory() && !lstatSync(join(each, entry.name)).isSymbolicLink())
          open.push(join(each, entry.name));
      }
    } catch {
      // It belongs to somebody else, or is gone.
    }
  }
}
