import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { relateRules } from './relate-rules.ts';
import { allWeaknesses } from './weaknesses.ts';

const SAME: [flaw: string, ...ids: string[]][] = [
  ['bucket not encrypted', 'CKV_AWS_19', 'AVD-AWS-0088', 'b2e8752c-3497-4255-98d2-e4ae5b46bbf5'],
  ['bucket not logged', 'CKV_AWS_18', 'AVD-AWS-0089', 'f861041c-8c9f-4156-acfc-5e6e524f5884'],
  ['bucket not versioned', 'CKV_AWS_21', 'AVD-AWS-0090', '568a4d22-3517-44a6-a7ad-6a7eed88722c'],
  ['bucket readable by everyone', 'CKV_AWS_20', 'AVD-AWS-0092', '38c5ee0d-7f22-4260-ab72-5073048df100'],
  ['public ACLs not blocked', 'CKV_AWS_53', 'AVD-AWS-0086', 'd0cc8694-fcad-43ff-ac86-32331d7e867f'],
  ['public policies not blocked', 'CKV_AWS_54', 'AVD-AWS-0087', '1a4bc881-9f69-4d44-8c9a-d37d08f54c50'],
  ['public ACLs not ignored', 'CKV_AWS_55', 'AVD-AWS-0091', '4fa66806-0dd9-4f8d-9480-3174d39c7c91'],
  ['SSH open', 'CKV_AWS_24', 'AVD-AWS-0107', '65905cec-d691-4320-b320-2000436cb696'],
  ['remote desktop open', 'CKV_AWS_25', 'AVD-AWS-0107', '151187cb-0efc-481c-babd-ad24e3c9bc22'],
  ['instance metadata without tokens', 'CKV_AWS_79', 'AVD-AWS-0028', 'AVD-AWS-0130'],
  ['volume not encrypted', 'CKV_AWS_3', 'AVD-AWS-0026', 'cc997676-481b-4e93-aa81-d19f8c5e9b12'],
  ['database public', 'CKV_AWS_17', 'AVD-AWS-0180', '35113e6f-2c6b-414d-beec-7a9482d3b2d1'],
  ['database not encrypted', 'CKV_AWS_16', 'AVD-AWS-0080', '08bd0760-8752-44e1-9779-7bb369b2b4e4'],
  ['database not backed up', 'CKV_AWS_133', 'AVD-AWS-0077', '1dc73fb4-5b51-430c-8c5f-25dcf9090b02'],
  ['trail not validated', 'CKV_AWS_36', 'AVD-AWS-0016', '52ffcfa6-6c70-4ea6-8376-d828d3961669'],
  ['trail in one region', 'CKV_AWS_67', 'AVD-AWS-0014', '8173d5eb-96b5-4aa6-a71b-ecfa153c123d'],
  ['key not rotated', 'CKV_AWS_7', 'AVD-AWS-0065', '22fbfeac-7b5a-421a-8a27-7a2178bb910b'],
  ['policy grants everything', 'CKV_AWS_62', 'AVD-AWS-0057', '2f37c4a3-58b9-4afe-8a87-d7f1d2286f84'],
  ['mutable image tags', 'CKV_AWS_51', 'AVD-AWS-0031', 'd1846b12-20c5-4d45-8798-fc35b79268eb'],
  ['images not scanned', 'CKV_AWS_163', 'AVD-AWS-0030', '9630336b-3fed-4096-8173-b9afdfe346a7'],
  ['EKS public', 'CKV_AWS_39', 'AVD-AWS-0040', '42f4b905-3736-4213-bfe9-c0660518cda8'],
  ['EKS secrets', 'CKV_AWS_58', 'AVD-AWS-0039', '63ebcb19-2739-4d3f-aa5c-e8bbb9b85281'],
  ['file system not encrypted', 'CKV_AWS_42', 'AVD-AWS-0037', '48207659-729f-4b5c-9402-f884257d794f'],
  ['queue not encrypted', 'CKV_AWS_27', 'AVD-AWS-0096', '6e8849c1-3aa7-40e3-9063-b85ee300f29f'],
  ['topic not encrypted', 'CKV_AWS_26', 'AVD-AWS-0095', '28545147-2fc6-42d5-a1f9-cf226658e591'],
  ['table without recovery', 'CKV_AWS_28', 'AVD-AWS-0024', '741f1291-47ac-4a85-a07b-3d32a9d6bd3e'],
  ['balancer on HTTP', 'CKV_AWS_2', 'AVD-AWS-0054', 'de7f5e83-da88-4046-871f-ea18504b1d43'],
  ['CloudFront without firewall', 'CKV_AWS_68', 'AVD-AWS-0011', '1419b4c6-6d5c-4534-9cf6-6a5266085333'],
  ['search domain on HTTP', 'CKV_AWS_83', 'AVD-AWS-0046', '2e9e0729-66d5-4148-9d39-5e6fb4bf2a4e'],
  ['Redshift not encrypted', 'CKV_AWS_64', 'AVD-AWS-0084', 'cfdcabb0-fc06-427c-865b-c59f13e898ce'],
  ['flow logs missing', 'CKV2_AWS_11', 'AVD-AWS-0178', 'f83121ea-03da-434f-9277-9cd247ab3047'],
  ['lambda not traced', 'CKV_AWS_50', 'AVD-AWS-0066', '8152e0cf-d2f0-47ad-96d5-d003a76eabd1'],
  ['storage account on HTTP', 'CKV_AZURE_3', 'AVD-AZU-0008', 'azure-storage-enforce-https', 'AC_AZURE_0373'],
  ['Azure SSH open', 'CKV_AZURE_10', 'AVD-AZU-0050', 'azure-network-ssh-blocked-from-internet'],
  ['Azure SQL without data encryption', 'CKV2_AZURE_25', '0745bb3f-60dc-43b6-90ae-67bb01fd1775'],
  ['AKS disks without a key of one’s own', 'CKV_AZURE_117', 'AVD-AZU-0067', 'b17d8bb8-4c08-4785-867e-cb9e62a622aa'],
  ['Google bucket public', 'CKV_GCP_28', 'AVD-GCP-0001', 'google-storage-no-public-access'],
  ['privileged container', 'CKV_K8S_16', 'KSV017', 'AVD-KSV-0017'],
  [
    'outside identities of Google',
    'CKV_GCP_118',
    'AVD-GCP-0068',
    'google-iam-no-conditions-workload-identity-pool-provider',
  ],
  ['Google firewall with all ports', 'CKV2_GCP_12', 'AVD-GCP-0072', '22ef1d26-80f8-4a6c-8c15-f35aab3cac78'],
  ['secrets open to a role', 'CKV2_K8S_5', 'AVD-KSV-0041', 'b7bca5c4-1dab-4c2c-8cbe-3050b9d59b14'],
  ['anonymous requests', 'CKV_K8S_68', 'AVD-KCV-0001', 'apiserver_anonymous_requests'],
  ['processes of the host', 'CKV_K8S_17', 'KSV-0010', 'core_minimize_hostPID_containers'],
  ['sudo in an image', 'CKV2_DOCKER_1', 'DS010', 'DL3004', 'no-sudo-in-dockerfile'],
  ['injection into a workflow', 'CKV_GHA_2', '20f14e1a-a899-4e79-9f09-b6a84cd4649b', 'run-shell-injection'],
];

const RELATED: [flaw: string, a: string, b: string][] = [
  ['encryption, and a key of one’s own', 'CKV_AWS_19', 'AVD-AWS-0132'],
  ['SSH and remote desktop', 'CKV_AWS_24', 'CKV_AWS_25'],
  ['two switches of the public access block', 'CKV_AWS_53', 'AVD-AWS-0087'],
  ['EKS open, and open to every address', 'CKV_AWS_38', 'AVD-AWS-0040'],
  ['keys of Event Grid topics and of its domains', 'CKV_AZURE_192', 'CKV_AZURE_195'],
  ['a stream at rest and in transit', 'AVD-AWS-0073', 'AVD-AWS-0179'],
  ['a role for everything, and for secrets', 'CKV_K8S_49', 'AVD-KSV-0041'],
];

const DIFFERENT: [flaw: string, a: string, b: string][] = [
  ['logging and encryption of a bucket', 'CKV_AWS_18', 'AVD-AWS-0088'],
  ['versioning and encryption of a bucket', 'CKV_AWS_21', 'AVD-AWS-0088'],
  ['a public database and one not encrypted', 'CKV_AWS_17', 'AVD-AWS-0080'],
  ['backups and deletion protection', 'CKV_AWS_133', 'AVD-AWS-0177'],
  ['validation and encryption of a trail', 'CKV_AWS_36', 'AVD-AWS-0015'],
  ['traffic in and traffic out', 'CKV_AWS_24', 'AVD-AWS-0104'],
  ['a port open to a small range and to the internet', 'e35c16a2-d54e-419d-8546-a804d8e024d0', 'CKV_AWS_24'],
  ['scanning and tags of images', 'CKV_AWS_163', 'AVD-AWS-0031'],
  ['the same flaw of two services', 'CKV_AWS_26', 'AVD-AWS-0096'],
  ['the same flaw of two clouds', 'CKV_AWS_24', 'CKV_AZURE_10'],
  ['public networks of two services of Azure', 'CKV_AZURE_204', 'CKV_AZURE_193'],
  ['the same flaw of two Google services', 'CKV_GCP_83', 'CKV_GCP_93'],
  ['anonymous and weakly encrypted requests', 'CKV_K8S_68', 'CKV_K8S_105'],
  ['rotation of a key and who may use it', 'CKV_AWS_7', 'CKV_AWS_33'],
];

describe('relateRules', () => {
  it.each(SAME)('all rules about "%s" are the same', (_, first, ...others) => {
    for (const other of others) expect(relateRules([first ?? ''], [other])).toBe('same');
  });

  it.each(RELATED)('"%s" are related', (_, a, b) => {
    expect(relateRules([a], [b])).toBe('related');
  });

  it.each(DIFFERENT)('"%s" are different', (_, a, b) => {
    expect(relateRules([a], [b])).toBe('different');
  });

  it('is unknown for an unknown rule and for a CWE', () => {
    expect(relateRules(['CKV_AWS_19'], ['MY_RULE'])).toBe('unknown');
    expect(relateRules(['CWE-311'], ['CKV_AWS_19'])).toBe('unknown');
    expect(relateRules([], ['CKV_AWS_19'])).toBe('unknown');
    expect(relateRules([], [])).toBe('unknown');
  });

  it('uses the known ids of a claim when others are unknown', () => {
    expect(relateRules(['MY_RULE', 'CKV_AWS_19', 'CWE-311'], ['AVD-AWS-0088'])).toBe('same');
    expect(relateRules(['MY_RULE', 'CKV_AWS_18'], ['AVD-AWS-0088'])).toBe('different');
  });

  it('is "same" when one of several rules is the same', () => {
    expect(relateRules(['CKV_AWS_18', 'CKV_AWS_19'], ['AVD-AWS-0088'])).toBe('same');
  });

  it('is symmetric', () => {
    const ids = allWeaknesses().flatMap(({ rules }) => Object.values(rules).flat());
    const claim = fc.array(fc.constantFrom('MY_RULE', ...ids), { maxLength: 3 });
    fc.assert(
      fc.property(claim, claim, (a, b) => {
        expect(relateRules(a, b)).toBe(relateRules(b, a));
      }),
    );
  });
});
