export type { Hono } from 'hono';
export { hc } from 'hono/client';
export { storeOf, type ViewedProject, type ViewedResult } from '../app/view/viewed-project.ts';
export type { NeedRight, ViewedSubject, ViewerDoor } from '../app/view/viewer-door.ts';
export { stopWork, type WorkUnderWay, workUnderWay } from '../app/view/work-under-way.ts';
export { answer } from '../server/answer.ts';
export { ANY_OFFSET, query, wholeNumber, wholeUpTo } from '../server/read-query.ts';
