import { describe, expect, it } from 'vitest';
import { cleanResourceMetrics } from './clean-resources.ts';

const clean = ['aws_s3_bucket.logs', 'aws_kms_key.main', 'aws_vpc.main', 'aws_s3_bucket.web'];

describe('cleanResourceMetrics', () => {
  it('counts a clean resource once, however often it is flagged', () => {
    const alarms = [['aws_s3_bucket.logs'], ['module.x.aws_s3_bucket.logs[0]'], ['aws_db_instance.main']];
    const metrics = cleanResourceMetrics(clean, { alarms, recall: 0.75 });
    expect(metrics).toEqual({ trueNegatives: 3, falsePositiveRate: 0.25, youdenJ: 0.5 });
  });

  it('counts every resource that a false alarm names', () => {
    const alarms = [['aws_s3_bucket.logs', 'aws_kms_key.main']];
    expect(cleanResourceMetrics(clean, { alarms, recall: 1 })).toMatchObject({ trueNegatives: 2, youdenJ: 0.5 });
  });

  it('has no rate without clean resources, and no J without a recall', () => {
    expect(cleanResourceMetrics([], { alarms: [], recall: 1 })).toEqual({
      trueNegatives: null,
      falsePositiveRate: null,
      youdenJ: null,
    });
    expect(cleanResourceMetrics(clean, { alarms: [], recall: null })).toEqual({
      trueNegatives: 4,
      falsePositiveRate: 0,
      youdenJ: null,
    });
  });

  it('refuses anything but a list of addresses', () => {
    expect(() => cleanResourceMetrics(JSON.parse('[1]'), { alarms: [], recall: 1 })).toThrow(
      'give a list of addresses',
    );
    expect(() => cleanResourceMetrics(JSON.parse('"x"'), { alarms: [], recall: 1 })).toThrow(
      'give a list of addresses',
    );
  });

  it('is fast for many resources and many alarms', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `aws_s3_bucket.b${index}`);
    const { trueNegatives } = cleanResourceMetrics(many, {
      alarms: many.slice(5_000).map((each) => [each]),
      recall: 1,
    });
    expect(trueNegatives).toBe(5_000);
  }, 5_000);
});
