export type CodeLanguage = 'terraform' | 'cloudformation';

/** A block of infrastructure code with an address of its own, and its place. */
export interface CodeBlock {
  language: CodeLanguage;
  kind: 'resource' | 'data' | 'module' | 'variable' | 'local' | 'output' | 'provider' | 'other';
  /**
   * `aws_s3_bucket.data`, `data.aws_iam_policy_document.x`, `module.x`, `var.x`; in CloudFormation
   * `AWS::S3::Bucket.Data`.
   */
  address: string;
  /** `aws_s3_bucket` or `AWS::S3::Bucket`; otherwise empty. */
  type: string;
  name: string;
  file: string;
  /** From 1, both inclusive. */
  line: number;
  end_line: number;
}
