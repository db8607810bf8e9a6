import { expect, test } from 'vitest';
import { createRoomForJobs } from './room-for-jobs.ts';

test('jobs begin as long as there is room', () => {
  const room = createRoomForJobs();
  expect(room.free(0, 3)).toBe(3);
  expect([room.mayBegin(1, 0), room.mayBegin(2, 1)]).toEqual([true, true]);
  expect(room.free(2, 3)).toBe(1);
});

test('nothing begins beside the last attempt at a job', () => {
  const room = createRoomForJobs();
  expect([room.mayBegin(3, 0), room.mayBegin(1, 1), room.mayBegin(3, 1)]).toEqual([true, false, false]);
  expect(room.free(1, 3)).toBe(0);
  // The other last attempt is next.
  expect([room.free(0, 3), room.mayBegin(3, 0)]).toEqual([1, true]);
  expect(room.free(0, 3)).toBe(3);
});

test('a last attempt waits until nothing else is under way, and nothing else begins meanwhile', () => {
  const room = createRoomForJobs();
  expect([room.mayBegin(1, 0), room.mayBegin(3, 1)]).toEqual([true, false]);
  expect(room.free(1, 3)).toBe(0);
  expect(room.free(0, 3)).toBe(1);
});
