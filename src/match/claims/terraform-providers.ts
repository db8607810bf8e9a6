/**
 * Prefixes of Terraform resource types that nobody starts a resource's own name with. A single word such as
 * `aws_s3_bucket` is a type by these; `local_file` or `random_id` may be either and are taken for a name.
 */
export const TERRAFORM_PROVIDERS: ReadonlySet<string> = new Set(
  `
  aci akamai alicloud auth0 aws awscc azapi azuread azurerm azurestack bigip boundary checkpoint cloudflare confluent
  consul databricks datadog digitalocean docker elasticstack equinix exoscale fastly flexibleengine github gitlab google
  grafana harbor hcloud hcp helm heroku huaweicloud ibm keycloak kubectl kubernetes launchdarkly linode minio mongodbatlas
  mso newrelic nifcloud nomad nsxt nutanix nxos oci okta opentelekomcloud openstack opsgenie ovh pagerduty panos proxmox
  rancher2 scaleway sentry snowflake splunk spotinst tencentcloud tfe ucloud vault vcd volcengine vsphere vultr yandex
  `
    .trim()
    .split(/\s+/),
);
