import type { AssertionsDoor } from 'salvo/kit/evaluators';
import { evaluateFindings } from './findings.ts';
import { manifestProblems } from './load-manifest.ts';

export const assertionsDoor: AssertionsDoor = { findings: { evaluate: evaluateFindings, problems: manifestProblems } };
