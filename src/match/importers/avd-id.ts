/** The id that Trivy and tfsec gave a rule before they dropped its prefix: `AVD-AWS-0088` for `AWS-0088`. */
export function avdId(id: string | undefined): string | undefined {
  return id !== undefined && /^[A-Z][A-Z0-9]{0,20}-\d{4}$/.test(id) ? `AVD-${id}` : undefined;
}
