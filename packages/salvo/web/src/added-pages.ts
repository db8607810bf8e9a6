import type { ReactNode } from 'react';
import type { ViewedPage } from '../../src/app/view/viewed-project.ts';

/** What the script of a package adds to the viewer. */
export interface AddedPages {
  /** An address is the part after `#`. The named parts of `path` are given to `page`; `decoded` makes texts of them. */
  routes: readonly { path: string | RegExp; page: (params: Record<string, string | undefined>) => ReactNode }[];
  /** In the navigation: pages that list what is stored. An HTML file, or the viewer of one result, has none of them. */
  places?: readonly ViewedPage[] | undefined;
  /** The end of an address that says what is chosen on a page, not which page it is. */
  chosen?: readonly RegExp[] | undefined;
}

const added: AddedPages[] = [];

/** Called by a script of a package while it is loaded. */
export function addPages(pages: AddedPages): void {
  added.push(pages);
}

export function addedPages(): Required<{ [Key in keyof AddedPages]: NonNullable<AddedPages[Key]> }> {
  return {
    routes: added.flatMap(({ routes }) => routes),
    places: added.flatMap(({ places = [] }) => places),
    chosen: added.flatMap(({ chosen = [] }) => chosen),
  };
}

/** A part of the address as text. The router has decoded everything already but the characters that have a meaning there. */
export function decoded(part: string): string {
  return part.replace(/%(?:2[346BCF]|3[ABDF]|40)/gi, (code) => decodeURIComponent(code));
}
