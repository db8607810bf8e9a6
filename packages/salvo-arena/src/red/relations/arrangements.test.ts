import { describe, expect, it } from 'vitest';
import { runRules } from '../../blue/rules/run-rules.ts';
import { checkManifest } from '../../gate/check-manifest.ts';
import { createScope } from '../../iac/evaluate/scope.ts';
import { RELATIONS, relationalFlaws } from '../../iac/relations/relations.ts';
import { type CodeProject, parseCode } from '../../iac/syntax/parse-code.ts';
import { weaknessById } from '../../match/weaknesses/weaknesses.ts';
import { textsOf } from '../mutation/code-change.ts';
import type { Arrangement } from './arrangement.ts';
import { arrangementsFor } from './arrangements.ts';
import { assetsIn } from './assets.ts';
import { Draft } from './draft.ts';
import { homeFiles, withDrafts } from './write-drafts.ts';

const CODE = {
  terraform: {
    'main.tf': `resource "aws_dynamodb_table" "orders" {
  name = "orders"
}

resource "aws_cloudwatch_log_group" "orders" {
  name = "/orders"
}
`,
  },
  cloudformation: {
    'template.yaml': `Resources:
  Orders:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: orders

  OrdersLogs:
    Type: AWS::Logs::LogGroup
    Properties:
      LogGroupName: /orders
`,
  },
};

type Language = keyof typeof CODE;

/** The code with an arrangement in its weak and in its safe form. */
async function bothForms(
  arrangement: Arrangement,
  language: Language,
): Promise<[weak: CodeProject, safe: CodeProject]> {
  const base = await parseCode(CODE[language]);
  const assets = assetsIn(homeFiles(base, language), language);
  const drawn = {
    app: 'billing',
    words: Array.from({ length: 30 }, (_, at) => `part${at}`),
    account: '210987654321',
    code: '0a1b2c3d4e',
    network: 40,
    asset: assets.find(({ use }) => use.startsWith('dynamodb')) ?? null,
    backedUp: assets.find(({ isBackedUp }) => isBackedUp) ?? null,
    logGroup: assets.find(({ use }) => use.startsWith('logs')) ?? null,
  };
  const form = async (isWeak: boolean) => {
    const draft = new Draft(language, drawn, isWeak);
    arrangement.write(draft);
    return await withDrafts(base, language, [draft]);
  };
  return [await form(true), await form(false)];
}

const valuesOf = (project: CodeProject) =>
  project.files.flatMap(({ text }) => text.split(/[\s,[\]{}()]+/)).filter((word) => word !== '' && word !== '-');

describe.each(['terraform', 'cloudformation'] as const)('relations in %s', (language) => {
  const all = arrangementsFor(language);

  it('are of many kinds, each of which has a weakness, a relation and somebody who calls it a flaw', () => {
    expect(all.length).toBe(language === 'terraform' ? 27 : 24);
    const families = new Set(RELATIONS.map(({ family }) => family));
    expect(families.size).toBeGreaterThanOrEqual(8);
    for (const { weakness, calledBy } of all) {
      expect(weaknessById(weakness)?.[language]?.types).not.toHaveLength(0);
      expect(RELATIONS.filter((one) => one.weakness === weakness)).toHaveLength(1);
      expect(calledBy.length).toBeGreaterThan(0);
    }
  });

  it.each(all.map((one) => [one.weakness, one] as const))('%s: only the weak form is a flaw', async (_id, one) => {
    const [weak, safe] = await bothForms(one, language);
    expect([...weak.files, ...safe.files].flatMap(({ problems }) => problems)).toEqual([]);
    expect(relationalFlaws(createScope(safe))).toEqual([]);
    const found = relationalFlaws(createScope(weak));
    expect(new Set(found.map(({ weakness }) => weakness))).toEqual(new Set([one.weakness]));
    const [flaw] = found;
    expect(flaw?.facts.length).toBeGreaterThan(1);
    // The two forms differ in which value is where, and not in the values.
    expect(new Set(valuesOf(weak))).toEqual(new Set(valuesOf(safe)));
    const rules = (project: CodeProject) =>
      runRules(project, { reach: 'full' })
        .map(({ rule_id }) => rule_id)
        .sort();
    expect(rules(weak)).toEqual(rules(safe));

    const claim = {
      id: 'V1',
      weakness: one.weakness,
      type: weaknessById(one.weakness)?.category,
      resource: flaw?.resources,
    };
    const statusIn = async (project: CodeProject) => {
      const { entries } = await checkManifest({ files: textsOf(project), vulnerabilities: [claim] });
      return entries[0]?.status;
    };
    expect([await statusIn(weak), await statusIn(safe)]).toEqual(['confirmed', 'phantom']);
  });
});
