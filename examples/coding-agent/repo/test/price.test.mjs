import { equal } from 'node:assert/strict';
import test from 'node:test';
import { inDollars } from '../src/price.mjs';

test('a price in dollars has the rate of today', () => {
  equal(inDollars(20), 25);
});

test('it is rounded to cents', () => {
  equal(inDollars(0.99), 1.24);
});
