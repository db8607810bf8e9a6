output "bucket_arn" {
  description = "Bucket that holds the documents."
  value       = aws_s3_bucket.documents.arn
}

output "kms_key_arn" {
  description = "Key that writers need permission to use."
  value       = aws_kms_key.archive.arn
}
