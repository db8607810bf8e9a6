import { describe, expect, it } from 'vitest';
import type { Weakness } from './weakness.ts';
import { otherNames } from './weakness-relations.ts';
import { allWeaknesses, weaknessById, weaknessesOfRule } from './weaknesses.ts';

const weaknesses = allWeaknesses();

const FORMS: Record<keyof Weakness['rules'], RegExp> = {
  checkov: /^CKV2?_[A-Z0-9]+_\d+$/,
  trivy: /^(AVD-[A-Z]+-\d{4}|KSV\d{3}|DS\d{3})$/,
  tfsec: /^([a-z]+(-[a-z0-9]+)+|[A-Z]{3}\d{3})$/,
  // The last group of one of KICS's own ids lacks a digit.
  kics: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{11,12}$/,
  terrascan: /^(AC|AWS|accurics)[-_.][A-Za-z0-9._-]+$/,
  aws_config: /^[A-Z0-9_]+$/,
  cdk_nag:
    /^(AwsSolutions-[A-Z]+\d*[A-Z]?\d+(\[.+\])?|(HIPAA\.Security|NIST\.800\.53\.R[45]|Serverless)-[A-Z][A-Za-z0-9]+)$/,
  security_hub: /^[A-Za-z0-9]+\.\d+$/,
  prowler: /^[a-z0-9]+(_[A-Za-z0-9]+)+$/,
  snyk: /^SNYK-CC-[A-Z]+-\d+$/,
  semgrep: /^[a-z0-9]+(-[a-z0-9]+)+$/,
  hadolint: /^DL\d{4}$/,
  gitleaks: /^[a-z0-9]+(-[a-z0-9]+)+$/,
};

describe('the catalogue of weaknesses', () => {
  it('loses no weakness, and knows most of them from more than one scanner', () => {
    // Change the number when a weakness is added.
    expect(weaknesses).toHaveLength(1443);
    const several = weaknesses.filter(({ rules }) => Object.keys(rules).length > 1);
    expect(several.length).toBeGreaterThan(weaknesses.length / 2);
  });

  it('names every weakness once, with a slug and a title of one line', () => {
    // Of two weaknesses with one id, only one can be found by id.
    expect(weaknesses.filter((weakness) => weaknessById(weakness.id) !== weakness)).toEqual([]);
    for (const { id, title, cwe } of weaknesses) {
      expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)+$/);
      expect(title).toMatch(/^[A-Z].*[^.\s]$/);
      expect(cwe.length).toBeGreaterThan(0);
    }
    expect(new Set(weaknesses.map(({ title }) => title)).size).toBe(weaknesses.length);
  });

  it.each(Object.entries(FORMS))('writes the ids of %s as they are printed, and each once in a line', (name, form) => {
    const lists = weaknesses.flatMap(({ rules }) =>
      Object.entries(rules).flatMap(([scanner, ids]) => (scanner === name ? [ids] : [])),
    );
    expect(lists.length).toBeGreaterThan(0);
    expect(lists.flat().filter((id) => !form.test(id))).toEqual([]);
    expect(lists.filter((ids) => ids.length === 0 || new Set(ids).size < ids.length)).toEqual([]);
  });

  it('relates weaknesses that exist, and none to itself', () => {
    const wrong = weaknesses.filter(({ id, related }) =>
      related.some((other) => other === id || weaknessById(other) === undefined),
    );
    expect(wrong).toEqual([]);
  });

  it('has a rule in several weaknesses only when they are related to each other', () => {
    const rules = new Set(weaknesses.flatMap(({ rules }) => Object.values(rules).flat()));
    const slips = [...rules].flatMap((rule) => {
      const ids = weaknessesOfRule(rule);
      const pairs = ids.flatMap((one, at) => ids.slice(at + 1).map((other) => [one, other] as const));
      return pairs.filter(([one, other]) => !related(one, other)).map((pair) => [rule, ...pair]);
    });
    expect(slips).toEqual([]);
  });

  it('gives no weakness an id that is another weakness’s rule', () => {
    const ownNames = (id: string) => [id, ...otherNames(id)];
    expect(weaknesses.filter(({ id }) => weaknessesOfRule(id).some((other) => !ownNames(id).includes(other)))).toEqual(
      [],
    );
  });

  it('writes resource types and attribute paths as their language does', () => {
    for (const { terraform, cloudformation } of weaknesses) {
      for (const type of terraform?.types ?? []) expect(type).toMatch(/^[a-z][a-z0-9_]*$/);
      for (const path of terraform?.attributes ?? []) expect(path).toMatch(/^[a-z][a-z0-9_-]*(\.[a-z][a-z0-9_-]*)*$/);
      for (const type of cloudformation?.types ?? []) expect(type).toMatch(/^(?:AWS|Alexa)::\w+::\w+$/);
      for (const path of cloudformation?.attributes ?? []) expect(path).toMatch(/^\w+(\.\w+)*$/);
    }
  });
});

function related(one: string, other: string): boolean {
  return [weaknessById(one)?.related.includes(other), weaknessById(other)?.related.includes(one)].includes(true);
}
