/** The part of the gate project that is CloudFormation. */
export const GATE_TEMPLATE = `
AWSTemplateFormatVersion: "2010-09-09"
Parameters:
  AdminPassword:
    Type: String
    NoEcho: true
  Encrypt:
    Type: String
    Default: "false"
Conditions:
  EncryptVolume: !Equals [!Ref Encrypt, "true"]
Resources:
  Volume:
    Type: AWS::EC2::Volume
    Properties:
      AvailabilityZone: eu-west-1a
      Size: 100
      Encrypted: !If [EncryptVolume, true, false]
  Archive:
    Type: AWS::S3::Bucket
    DeletionPolicy: Retain
    Properties:
      VersioningConfiguration:
        Status: Enabled
  ArchivePolicy:
    Type: AWS::S3::BucketPolicy
    Properties:
      Bucket: !Ref Archive
      PolicyDocument:
        Statement:
          - Effect: Allow
            Principal: "*"
            Action: s3:GetObject
            Resource: !Sub "\${Archive.Arn}/*"
  Warehouse:
    Type: AWS::Redshift::Cluster
    Properties:
      ClusterType: single-node
      DBName: reports
      MasterUsername: admin
      MasterUserPassword: !Ref AdminPassword
      NodeType: ra3.large
      Encrypted: true
      PubliclyAccessible: false
  Gateway:
    Type: AWS::EC2::SecurityGroup
    Properties:
      GroupDescription: gateway
      SecurityGroupIngress:
        - IpProtocol: tcp
          FromPort: 3389
          ToPort: 3389
          CidrIp: 0.0.0.0/0
`;
