import { expect, it } from 'vitest';
import { concernedResources } from './concerned-resources.ts';

const REFERENCES = new Map([
  ['AWS::Redshift::Cluster.Reports', new Set(['AWS::Redshift::ClusterParameterGroup.Settings', 'AWS::KMS::Key.Key'])],
  ['aws_autoscaling_group.fleet', new Set(['aws_launch_template.fleet'])],
  ['AWS::SQS::QueuePolicy.Rights', new Set(['AWS::SQS::Queue.Outbox', 'AWS::SNS::Topic.News'])],
  ['aws_sns_topic_policy.rights', new Set(['aws_sns_topic.news'])],
  ['AWS::IAM::ManagedPolicy.Rights', new Set(['AWS::IAM::Role.Crew'])],
]);

it.each([
  ['AWS::Redshift::ClusterParameterGroup.Settings', ['AWS::Redshift::Cluster.Reports']],
  ['aws_launch_template.fleet', ['aws_autoscaling_group.fleet']],
  ['AWS::SQS::QueuePolicy.Rights', ['AWS::SQS::Queue.Outbox']],
  ['aws_sns_topic_policy.rights', ['aws_sns_topic.news']],
  ['AWS::KMS::Key.Key', []],
  ['AWS::IAM::ManagedPolicy.Rights', []],
])('a flaw of %s is also reported at %j', (address, concerned) => {
  expect(concernedResources(REFERENCES, address)).toEqual(concerned);
});
