import type { Hono, MiddlewareHandler } from 'hono';
import type {} from '../../extension/extension.ts';
import type { Store } from '../../store/store.ts';
import type { ResumeLimits } from './resume-budget.ts';
import type { ViewedPage, ViewedProject } from './viewed-project.ts';
import type { ViewerRight } from './viewer-rights.ts';

/** The files of a package's pages, as they were built. Both are part of every page of the viewer. */
export interface PackagePages {
  /** Calls `addPages` of `salvo/viewer-parts`. */
  script: URL;
  style?: URL | undefined;
}

/** Comes before every route that changes something. */
export type NeedRight = (right: ViewerRight) => MiddlewareHandler;

/** Something stored that a package has pages about. */
export interface ViewedSubject extends ViewedPage {
  id: string;
  /** The address with the user's own words in it, such as `latest`, if the pages of the package understand them. */
  typedHref?: string | undefined;
  /** Asks the API for everything that its pages ask for: an HTML file contains these answers. */
  answers(ask: (path: string) => Promise<Response>): Promise<void>;
}

/** What a package adds to the viewer. */
export interface ViewerDoor {
  pages: PackagePages;
  /** Adds routes to the API, whose addresses begin with `/api`. It loads what they need when they are asked. */
  addRoutes(api: Hono, viewed: ViewedProject, need: NeedRight, limits: ResumeLimits): void;
  /** In messages: the names of what `find` finds, such as `experiment`. */
  subjects?: readonly string[] | undefined;
  /** What a user means by `latest`, by an id or by the beginning of one. Null if nothing has it. */
  find?(store: Store, words: string): Promise<ViewedSubject | null>;
}

declare module '../../extension/extension.ts' {
  interface Doors {
    viewer: ViewerDoor;
  }
}
