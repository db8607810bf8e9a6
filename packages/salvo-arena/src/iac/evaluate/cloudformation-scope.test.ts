// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Terraform and CloudFormation write their templates like this.
import { describe, expect, it } from 'vitest';
import { parseCode } from '../syntax/parse-code.ts';
import { createScope } from './scope.ts';
import { knownPart } from './value.ts';

const scopeOf = async (files: Record<string, string>) => createScope(await parseCode(files));

describe('instances in CloudFormation', () => {
  const TEMPLATE = `
Parameters:
  Env: {Type: String, Default: dev}
  Zones: {Type: CommaDelimitedList, Default: "a, b"}
  Secret: {Type: String}
  On: {Type: String, Default: true}
Mappings:
  Sizes: {dev: {size: small}}
Conditions:
  IsProd: !Equals [!Ref Env, prod]
  NotProd: !Not [{Condition: IsProd}]
  IsOn: !And [!Equals [!Ref On, "true"], !Condition NotProd]
  Open: !Equals [!Ref Secret, x]
Resources:
  Prod: {Type: T, Condition: IsProd}
  Maybe: {Type: T, Condition: Open}
  A:
    Type: T
    DeletionPolicy: Retain
    Properties:
      Values:
        - !Ref Env
        - !Sub "\${Env}-\${x}-\${AWS::Region}"
        - !Sub ["\${Env}-\${x}", {x: 1}]
        - !If [IsOn, yes, no]
        - !FindInMap [Sizes, !Ref Env, size]
        - !Join ["-", [a, !Ref Env]]
        - !Select [1, !Ref Zones]
        - !Split [",", "a,b"]
        - !GetAtt Maybe.Arn
        - !Ref AWS::NoValue
      Gone: !If [IsProd, 1, !Ref AWS::NoValue]
      Policy: {Statement: [{Action: "*", Resource: !GetAtt Maybe.Arn}]}
`;
  it('follow conditions', async () => {
    const scope = await scopeOf({ 'template.yaml': TEMPLATE });
    expect(scope.instances('T').map(({ name, certain }) => [name, certain])).toEqual([
      ['Maybe', false],
      ['A', true],
    ]);
  });

  it('have their functions evaluated', async () => {
    const scope = await scopeOf({ 'template.yaml': TEMPLATE });
    const view = scope.instances('T')[1];
    const values = view?.get('Values')?.value;
    expect(values && knownPart(values)).toEqual([
      'dev',
      'dev-${x}-${AWS::Region}',
      'dev-1',
      true,
      'small',
      'a-dev',
      'b',
      ['a', 'b'],
      '${Maybe.Arn}',
    ]);
    expect(view?.get('Gone')).toBeNull();
    expect(view?.setting('DeletionPolicy')?.value).toEqual({ known: true, value: 'Retain' });
    const policy = view?.get('Policy')?.value;
    expect(policy && knownPart(policy)).toEqual({ Statement: [{ Action: '*', Resource: '${Maybe.Arn}' }] });
  });
});

describe('Globals of the Serverless Application Model', () => {
  const TEMPLATE = `
Transform: AWS::Serverless-2016-10-31
Globals:
  Function:
    Runtime: nodejs22.x
    Tracing: Active
    Layers: [shared]
    Environment: {Variables: {STAGE: live, REGION: eu}}
Resources:
  Own:
    Type: AWS::Serverless::Function
    Properties:
      Runtime: python3.13
      Layers: [own]
      Environment: {Variables: {STAGE: test}}
  Bare: {Type: AWS::Serverless::Function}
  Other: {Type: AWS::Lambda::Function}
  Table: {Type: AWS::Serverless::SimpleTable}`;

  it('merges maps, joins lists, lets the resource decide between values, and leaves other types alone', async () => {
    const scope = await scopeOf({ 'template.yaml': TEMPLATE });
    const properties = scope.instances().map((view) => [
      view.name,
      Object.fromEntries(
        view.names().map((name) => {
          const value = view.get(name)?.value;
          return [name, value && knownPart(value)];
        }),
      ),
    ]);
    expect(Object.fromEntries(properties)).toEqual({
      Own: {
        Runtime: 'python3.13',
        Layers: ['shared', 'own'],
        Environment: { Variables: { STAGE: 'test', REGION: 'eu' } },
        Tracing: 'Active',
      },
      Bare: {
        Runtime: 'nodejs22.x',
        Layers: ['shared'],
        Environment: { Variables: { STAGE: 'live', REGION: 'eu' } },
        Tracing: 'Active',
      },
      Other: {},
      Table: {},
    });
  });

  it('reads a template whose Globals are not what they should be', async () => {
    const broken = ['Globals: 1', 'Globals: {Function: 1}', 'Globals: {Function: !Ref X}', 'Globals: [a]'];
    for (const globals of broken) {
      const scope = await scopeOf({
        'template.yaml': `${globals}\nResources:\n  A: {Type: AWS::Serverless::Function, Properties: {Timeout: 3}}`,
      });
      expect(scope.instances()[0]?.names()).toEqual(['Timeout']);
    }
  });
});

describe('an API that only events of functions name', () => {
  const template = (events: string, globals = '') =>
    `${globals}Resources:\n  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      Events:\n${events}`;
  const apis = async (code: string) =>
    (await scopeOf({ 't.yaml': code }))
      .instances()
      .filter(({ name }) => name !== 'F')
      .map(({ address, line, names }) => `${address}:${line} ${names()}`);

  it('exists, with what Globals says, at the event', async () => {
    const events = '        Get: {Type: Api, Properties: {Path: /, Method: get}}\n        Other: {Type: HttpApi}\n';
    expect(await apis(template(events, 'Globals: {Api: {TracingEnabled: true}}\n'))).toEqual([
      'AWS::Serverless::Api.ServerlessRestApi:7 TracingEnabled',
      'AWS::Serverless::HttpApi.ServerlessHttpApi:8 ',
    ]);
  });

  it('is at the event without authorization, if there is one', async () => {
    const safe = '        Safe: {Type: Api, Properties: {Auth: {Authorizer: Users}}}\n';
    expect(await apis(template(safe))).toEqual(['AWS::Serverless::Api.ServerlessRestApi:6 Auth']);
    expect(await apis(template(`${safe}        Open: {Type: Api}\n`))).toEqual([
      'AWS::Serverless::Api.ServerlessRestApi:7 ',
    ]);
  });

  it.each([
    'Get: {Type: Api, Properties: {RestApiId: !Ref Own}}',
    'Get: {Type: S3}',
    'Get: {Type: [Api]}',
    'Get: Api',
    '- Type: Api',
  ])('does not exist for %s', async (event) => {
    expect(await apis(template(`        ${event}\n`))).toEqual([]);
  });
});
