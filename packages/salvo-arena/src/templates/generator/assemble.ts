import { terraformLayout } from '../../iac/edit/terraform-layout.ts';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import type { SeededChoice } from '../seeded-choice.ts';
import type { GeneratedBlock } from './rewrite-piece.ts';

/** The files of a game: what is where, and in which order, is drawn. */
export function assemble(
  language: CodeLanguage,
  blocks: readonly GeneratedBlock[],
  choice: SeededChoice,
): Record<string, string> {
  return language === 'terraform' ? terraformFiles(blocks, choice) : templateFiles(blocks, choice);
}

function terraformFiles(blocks: readonly GeneratedBlock[], choice: SeededChoice): Record<string, string> {
  const once = [...new Map(blocks.map((one) => [one.type === 'locals' ? one : one.address, one])).values()];
  const fileOf = choice.one([byPiece, byService, inFewFiles])?.(choice) ?? byPiece();
  const placed = choice.shuffled(once).map((block) => ({ block, file: ownFile(block.type) ?? fileOf(block) }));
  const files = Map.groupBy(placed, ({ file }) => file);
  return Object.fromEntries(
    [...files].map(([file, all]) => [file, terraformLayout(`${all.map(({ block }) => block.code).join('\n\n')}\n`)]),
  );
}

function ownFile(type: string): string | null {
  if (type === 'terraform') return 'versions.tf';
  return type === 'variable' ? 'variables.tf' : null;
}

type FileOf = (block: GeneratedBlock) => string;

/** One file for each part of the infrastructure. */
function byPiece(): FileOf {
  return ({ piece }) => `${piece}.tf`;
}

/** `iam.tf`, `network.tf`, `storage.tf`; what belongs nowhere is in `main.tf`. */
function byService(): FileOf {
  return ({ origin }) => `${SERVICES.find(([pattern]) => pattern.test(origin))?.[1] ?? 'main'}.tf`;
}

const SERVICES: readonly (readonly [RegExp, string])[] = [
  [/aws_iam_|assume/, 'iam'],
  [/aws_(?:vpc|subnet|security_group|network|default|route|flow|ec2_|nat|eip|internet)/, 'network'],
  [/aws_(?:s3|efs|fsx|backup|ebs|dlm)/, 'storage'],
  [/aws_(?:db|rds|docdb|neptune|dynamodb|elasticache|dax|redshift)/, 'databases'],
  [/aws_(?:cloudwatch|cloudtrail|config|guardduty)/, 'logging'],
  [/aws_(?:kms|secretsmanager|ssm)/, 'secrets'],
  [/aws_(?:lb|instance|launch|autoscaling|ecs|eks|ecr|lambda)/, 'compute'],
];

function inFewFiles(choice: SeededChoice): FileOf {
  const names = choice.shuffled(['main', 'resources', 'services', 'stack', 'shared', 'workloads']);
  const count = choice.between(2, 5);
  return () => `${names[choice.between(0, count - 1)] ?? 'main'}.tf`;
}

function templateFiles(blocks: readonly GeneratedBlock[], choice: SeededChoice): Record<string, string> {
  const pieces = choice.shuffled([...new Set(blocks.map(({ piece }) => piece))]);
  const count = Math.min(pieces.length, choice.between(1, 3));
  const isSingle = count === 1;
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => {
      const own = pieces.filter((_, index) => index % count === at);
      const file = isSingle ? 'template.yaml' : `${own[0] ?? 'template'}.yaml`;
      return [
        file,
        templateText(
          blocks.filter(({ piece }) => own.includes(piece)),
          own,
          choice,
        ),
      ];
    }),
  );
}

function templateText(blocks: readonly GeneratedBlock[], pieces: readonly string[], choice: SeededChoice): string {
  const section = (type: string, title: string, gap: string) => {
    const own = blocks.filter((one) => one.type === type);
    const once = [...new Map(own.map((one) => [one.address, one])).values()];
    if (once.length === 0) return [];
    return [
      `${title}:\n${choice
        .shuffled(once)
        .map(({ code }) => `  ${code.trimEnd()}`)
        .join(gap)}`,
    ];
  };
  const about = pieces.slice(0, 3).join(', ');
  const description =
    choice.one([`Infrastructure of ${about}.`, `Stack for ${about}.`, `What ${about} needs.`]) ?? about;
  const parts = [
    `AWSTemplateFormatVersion: "2010-09-09"\nDescription: ${description}`,
    ...section('variable', 'Parameters', '\n'),
    ...section('resource', 'Resources', '\n\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}
