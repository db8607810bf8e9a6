import { isRecord } from '../text/json/is-record.ts';

/**
 * What packages can add to Salvo: a type for each door. A room that has a door adds it here by declaration merging, so that
 * this room knows none of the others.
 */
// biome-ignore lint/suspicious/noEmptyInterface: rooms add to it.
export interface Doors {}

export type Door = keyof Doors;

/** What a package adds to Salvo: the default export of its entry `extension`. */
export interface SalvoExtension {
  /** The name of the npm package. */
  name: string;
  /** Each is loaded when something behind it is first needed. */
  doors: { readonly [D in Door]?: () => Promise<Doors[D]> };
}

/** Whether a module exports an extension. */
export function isExtension(exported: unknown): exported is SalvoExtension {
  return isRecord(exported) && typeof exported.name === 'string' && isRecord(exported.doors);
}

export function defineExtension(extension: SalvoExtension): SalvoExtension {
  return extension;
}
