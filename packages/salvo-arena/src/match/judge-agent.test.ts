import { describe, expect, it } from 'vitest';
import { untyped } from '../../test/match/untyped.ts';
import { JudgeAgent } from './judge-agent.ts';

const judge = new JudgeAgent();
const flaw = (id: string, type: string, resource: string, more = {}) => ({ id, type, resource, ...more });

describe('the Quick Start', () => {
  const results = judge.score(
    {
      vulnerabilities: [
        { id: 'v1', type: 'encryption', resource: 'aws_s3_bucket.data' },
        { id: 'v2', type: 'access_control', resource: 'aws_s3_bucket.data' },
      ],
    },
    [
      { type: 'encryption', resource: 'aws_s3_bucket.data', severity: 'HIGH' },
      { type: 'network', resource: 'aws_security_group.web', severity: 'MEDIUM' },
    ],
  );

  it('finds one of two vulnerabilities with one of two findings', () => {
    expect(results).toMatchObject({
      truePositives: 1,
      falsePositives: 1,
      falseNegatives: 1,
      precision: 0.5,
      recall: 0.5,
      f1Score: 0.5,
      evasionRate: 0.5,
      evaded: ['v2'],
      falseAlarms: [1],
      empty: false,
    });
    expect(results.matches).toMatchObject([
      { vulnerabilityId: 'v1', vulnerabilityIndex: 0, findingIndex: 0, matchType: expect.any(String) },
    ]);
  });

  it('says where the score of the match comes from', () => {
    const [match] = results.matches;
    expect(match?.factors.map(({ name }) => name)).toEqual(expect.arrayContaining(['category', 'resource']));
    expect(match?.explanation).toMatch(/^0\.\d\d: category 0\.30 \(/);
    const points = match?.factors.reduce((sum, factor) => sum + factor.points, 0) ?? 0;
    expect(points).toBeCloseTo(match?.score ?? -1, 9);
  });

  it('keeps the explanations in JSON', () => {
    const [match] = JSON.parse(JSON.stringify(results)).matches;
    expect(match).toEqual({ ...results.matches[0] });
    expect(match.explanation).toContain('resource 0.25');
  });

  it('has a near miss: the finding that is matched with the other vulnerability', () => {
    expect(results.nearMisses).toMatchObject([{ vulnerabilityId: 'v2', findingIndex: 0 }]);
  });
});

describe('a match', () => {
  const score = (severity: string | undefined, thresholds = {}) =>
    new JudgeAgent(thresholds).score(
      [flaw('v', 'encryption', 'aws_s3_bucket.data', { severity: 'HIGH' })],
      [{ type: 'encryption', resource: 'aws_s3_bucket.data', severity }],
    );

  it('is exact from the exact threshold on, else partial', () => {
    expect(score('high').matches[0]?.matchType).toBe('exact');
    expect(score(undefined, { exactThreshold: 0.95 }).matches[0]?.matchType).toBe('partial');
  });

  it('does not exist between claims with nothing in common, even at a threshold of 0', () => {
    for (const matcher of ['documented', 'evidence'] as const) {
      const results = new JudgeAgent({ matcher, matchThreshold: 0 }).score([{ id: 'v1' }], [{ title: 'something' }]);
      expect(results.matches).toEqual([]);
    }
  });

  it('does not exist below the match threshold', () => {
    expect(score('low', { matchThreshold: 0.95, exactThreshold: 0.95 }).truePositives).toBe(0);
  });
});

describe('counts', () => {
  it('are 0 where there are no findings', () => {
    expect(judge.score([flaw('v', 'encryption', 'x')], [])).toMatchObject({ precision: 0, recall: 0, evasionRate: 1 });
  });

  it('are 0 where there are no vulnerabilities', () => {
    const results = judge.score([], [flaw('', 'encryption', 'x')]);
    expect(results).toMatchObject({ precision: 0, recall: 0, evasionRate: 0, empty: false, falseAlarms: [0] });
  });

  it('say that there was nothing to score', () => {
    expect(judge.score({ vulnerabilities: [] }, [])).toMatchObject({
      empty: true,
      precision: 0,
      recall: 0,
      matches: [],
    });
  });

  it('are by position and not by id, so that equal and missing ids lose nothing', () => {
    const results = judge.score(
      [
        flaw('same', 'encryption', 'aws_s3_bucket.a'),
        flaw('same', 'logging', 'aws_s3_bucket.b'),
        { type: 'network', resource: 'aws_security_group.c' },
      ],
      [{ type: 'encryption', resource: 'aws_s3_bucket.a' }],
    );
    expect(results).toMatchObject({
      truePositives: 1,
      falseNegatives: 2,
      evaded: ['same', '#3'],
      evadedIndices: [1, 2],
    });
  });
});

describe('duplicates', () => {
  it('stay false positives, and are also listed separately', () => {
    const finding = { type: 'encryption', resource: 'aws_s3_bucket.data', severity: 'high' };
    const results = judge.score(
      [flaw('v', 'encryption', 'aws_s3_bucket.data', { severity: 'high' })],
      [finding, { ...finding, severity: 'low' }, { type: 'network', resource: 'aws_vpc.main' }],
    );
    expect(results).toMatchObject({
      falsePositives: 2,
      falseAlarms: [1, 2],
      duplicates: [{ vulnerabilityId: 'v', findingIndex: 1 }],
      precision: 1 / 3,
      precisionWithoutDuplicates: 0.5,
    });
  });
});

describe('outside evidence', () => {
  const manifest = [
    flaw('v1', 'encryption', 'aws_s3_bucket.data', { description: 'Server-side encryption is off.' }),
    flaw('v2', 'logging', 'aws_s3_bucket.data', { description: 'Access logging is off.' }),
  ];
  const findings = [
    { type: 'encryption', resource: 'aws_s3_bucket.data', description: 'The bucket is not encrypted at rest.' },
    { type: 'network', resource: 'aws_security_group.web', description: 'SSH is open to the world (0.0.0.0/0).' },
    { type: 'iam', resource: 'aws_iam_role.app', description: 'The role may do anything.' },
  ];

  it('is null when nothing is known', () => {
    expect(judge.score(manifest, findings).anchors).toBeNull();
    expect(new Set(Object.values(judge.score(manifest, findings, {}).anchors ?? {}))).toEqual(new Set([null]));
  });

  it('includes what tools report about the same flaw', () => {
    const toolFindings = {
      checkov: [
        {
          rule_id: 'CKV_AWS_19',
          resource: 'aws_s3_bucket.data',
          title: 'Ensure all data stored in the S3 bucket is securely encrypted at rest',
        },
      ],
      mine: [{ type: 'network', resource: 'aws_security_group.web', description: 'SSH open to 0.0.0.0/0' }],
    };
    expect(judge.score(manifest, findings, { toolFindings }).anchors).toMatchObject({
      corroborated: [0],
      corroborationRate: 1,
      supportedAlarms: [1],
      adjustedPrecision: 0.5,
      phantoms: null,
      trueNegatives: null,
    });
  });

  it('does not include what a tool reports about another flaw of the resource', () => {
    const toolFindings = [{ type: 'logging', resource: 'aws_s3_bucket.data', description: 'Access logs are missing.' }];
    expect(judge.score(manifest, findings, { toolFindings }).anchors).toMatchObject({
      corroborated: [],
      supportedAlarms: [],
    });
  });

  it('includes a check of the manifest and clean resources', () => {
    const evidence = { confirmed: ['v1'], cleanResources: ['aws_iam_role.app', 'aws_kms_key.main'] };
    expect(judge.score(manifest, findings, evidence).anchors).toMatchObject({
      manifestAccuracy: 0.5,
      phantoms: ['v2'],
      adjustedRecall: 1,
      phantomConcordance: 0,
      trueNegatives: 1,
      falsePositiveRate: 0.5,
      youdenJ: 0,
    });
  });
});

describe('what cannot be scored', () => {
  const score = untyped((manifest: never, findings: never) => judge.score(manifest, findings));

  it('is refused with its position', () => {
    expect(() => score([flaw('v', 'x', 'y'), 7], [])).toThrow('vulnerabilities[1] is a number');
    expect(() => score([], [null])).toThrow('findings[0] is empty');
    expect(() => score(null, [])).toThrow(expect.objectContaining({ name: 'JudgeError' }));
  });

  it('is refused by scoreAsync as well', async () => {
    await expect(judge.scoreAsync([], [null])).rejects.toThrow('findings[0] is empty');
  });

  it('is refused before anything is scored when the options are wrong', () => {
    expect(() => new JudgeAgent({ matchThreshold: 2 })).toThrow('matchThreshold is 2');
  });
});

describe('scoreAsync', () => {
  it('gives the same as score without models', async () => {
    const game = [[flaw('v', 'encryption', 'x')], [{ type: 'encryption', resource: 'x' }]] as const;
    expect(await judge.scoreAsync(...game)).toEqual(judge.score(...game));
  });

  it('does nothing when it is aborted already', async () => {
    const signal = AbortSignal.abort(new Error('no time'));
    await expect(judge.scoreAsync([], [], undefined, { signal })).rejects.toThrow('no time');
  });
});
