// The Kubernetes manifests: each object has the fields of its kind, and everything that the objects name exists.
import assert from 'node:assert/strict'
import { basename, dirname } from 'node:path'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { schemas } from './deploy/kubernetes-schema.ts'
import { filesIn, readYaml } from './deploy/read-deploy.ts'

type Labels = Readonly<Record<string, string>>
type Named = { readonly name: string }
type Mount = Named & { readonly mountPath: string }
type Deployment = {
  readonly metadata: Named
  readonly spec: {
    readonly replicas: number
    readonly selector: { readonly matchLabels: Labels }
    readonly template: {
      readonly metadata: { readonly labels: Labels }
      readonly spec: {
        readonly containers: readonly {
          readonly env: readonly (Named & { readonly value: string })[]
          readonly ports: readonly (Named & { readonly containerPort: number })[]
          readonly volumeMounts: readonly Mount[]
        }[]
        readonly volumes: readonly (Named & { readonly secret?: { readonly secretName: string } })[]
      }
    }
  }
}

const files = filesIn('deploy/kubernetes/*.yaml')
const objects = files.flatMap((file) => readYaml(file).map((value) => ({ file, value, kind: kindOf(value) })))
const ajv = new Ajv({ allErrors: true })

function kindOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'kind' in value ? String(value.kind) : 'nothing'
}

/** Returns the objects of a kind. Their schema guarantees the shape. */
function all<Kind>(kind: string): Kind[] {
  const found: unknown[] = objects.filter((one) => one.kind === kind).map(({ value }) => value)
  return JSON.parse(JSON.stringify(found))
}

const deployments = all<Deployment>('Deployment')

for (const { file, value, kind } of objects) {
  test(`${file}: ${kind} has the fields of its kind`, () => {
    const validate = ajv.compile(schemas[kind] ?? { not: {} })
    assert.ok(validate(value), ajv.errorsText(validate.errors))
  })
}

test('a misspelt field is found', () => {
  const validate = ajv.compile(schemas.ConfigMap ?? {})
  const value = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, date: {} }
  assert.equal(validate(value), false)
})

test('there are two roles, each with more than one process and a disruption budget', () => {
  const roles = deployments.map(({ spec }) => spec.template.spec.containers[0]?.env[0]?.value)
  assert.deepEqual(roles, ['api', 'worker'])
  const budgets = all<{ spec: { minAvailable: number; selector: { matchLabels: Labels } } }>(
    'PodDisruptionBudget',
  )
  for (const { spec } of deployments) {
    const budget = budgets.find((one) => isSame(one.spec.selector.matchLabels, spec.selector.matchLabels))
    assert.ok(budget !== undefined && budget.spec.minAvailable < spec.replicas)
  }
})

test('selectors select the pods that they mean', () => {
  const labels = deployments.map(({ spec }) => spec.template.metadata.labels)
  for (const [at, { spec }] of deployments.entries()) assert.deepEqual(spec.selector.matchLabels, labels[at])
  assert.equal(new Set(labels.map((one) => JSON.stringify(one))).size, deployments.length)
  const [service] = all<{ spec: { selector: Labels } }>('Service')
  assert.deepEqual(service?.spec.selector, labels[0], 'the service leads to the role api')
})

test('every volume is mounted, and every mount and secret exists', () => {
  const secrets = all<{ metadata: Named; stringData: Labels }>('Secret')
  for (const { metadata, spec } of deployments) {
    const { containers, volumes } = spec.template.spec
    const mounted = containers.flatMap(({ volumeMounts }) => volumeMounts)
    assert.deepEqual(
      [...new Set(mounted.map(({ name }) => name))].sort(),
      volumes.map(({ name }) => name).sort(),
      metadata.name,
    )
    for (const { secret } of volumes)
      if (secret !== undefined) assert.ok(secrets.some((one) => one.metadata.name === secret.secretName))
  }
})

test('the channels file is read from the folder of its secret, so that a change arrives without a restart', () => {
  const [settings] = all<{ data: Labels }>('ConfigMap')
  for (const { spec } of deployments) {
    const { containers, volumes } = spec.template.spec
    const mount = containers[0]?.volumeMounts.find(({ name }) => name === 'channels')
    assert.equal(dirname(settings?.data.TOLLGATE_CHANNELS ?? ''), mount?.mountPath)
    assert.equal(volumes.find(({ name }) => name === 'channels')?.secret?.secretName, 'tollgate-channels')
  }
})

test('the kustomization names every file, except the example of secrets', () => {
  const [{ resources } = { resources: [] }] = all<{ resources: string[] }>('Kustomization')
  const others = files
    .map((file) => basename(file))
    .filter((name) => !/^(kustomization|secrets\.example)\./.test(name))
  assert.deepEqual(resources.toSorted(), others)
})

function isSame(one: Labels, other: Labels): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
