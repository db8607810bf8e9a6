export type { Hono } from 'hono';
export { hc } from 'hono/client';
export { storeOf, type ViewedProject, type ViewedResult } from '../app/view/viewed-project.ts';
export type { ViewedSubject, ViewerDoor } from '../app/view/viewer-door.ts';
export { answer } from '../server/answer.ts';
export { ANY_OFFSET, query, wholeNumber, wholeUpTo } from '../server/read-query.ts';
