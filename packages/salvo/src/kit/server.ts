export { answer } from '../server/answer.ts';
export type { Ask } from '../server/export/recording-client.ts';
export { ANY_OFFSET, query, wholeNumber, wholeUpTo } from '../server/read-query.ts';
