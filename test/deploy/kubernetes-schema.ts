// A JSON schema of the Kubernetes objects in deploy/, with only the fields that these objects use. So the test finds a
// misspelt field, which Kubernetes would ignore or refuse. The schema follows the API reference of Kubernetes 1.34.
type Schema = Readonly<Record<string, unknown>>

const text = { type: 'string', minLength: 1 } as const
const count = { type: 'integer', minimum: 0 } as const
const flag = { type: 'boolean' } as const
const quantity = { type: 'string', pattern: '^\\d+(m|Ki|Mi|Gi)?$' } as const
const port = { anyOf: [text, { type: 'integer', minimum: 1, maximum: 65_535 }] } as const
const texts = { type: 'object', additionalProperties: { type: 'string' } } as const

/** All properties are required, except those whose names end with a question mark. */
function object(properties: Readonly<Record<string, Schema>>): Schema {
  const names = Object.keys(properties)
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map((name) => [name.replace(/\?$/, ''), properties[name] ?? {}] as const),
    ),
    required: names.filter((name) => !name.endsWith('?')),
    additionalProperties: false,
  }
}

function list(items: Schema): Schema {
  return { type: 'array', items, minItems: 1 }
}

function oneOf(...values: readonly string[]): Schema {
  return { enum: values }
}

function kind(apiVersion: string, name: string, rest: Readonly<Record<string, Schema>>): Schema {
  const metadata = object({ name: text, 'namespace?': text, 'labels?': texts, 'annotations?': texts })
  return object({ apiVersion: { const: apiVersion }, kind: { const: name }, metadata, ...rest })
}

const resources = object({
  requests: object({ cpu: quantity, memory: quantity }),
  limits: object({ 'cpu?': quantity, memory: quantity }),
})

/**
 * The settings that every container must have: those that the namespace's policy `restricted` demands, and a read-only
 * root.
 */
const locked = object({
  allowPrivilegeEscalation: { const: false },
  readOnlyRootFilesystem: { const: true },
  capabilities: object({ drop: { const: ['ALL'] } }),
})

const mounts = list(object({ name: text, mountPath: text, 'readOnly?': flag }))

const probe = object({
  httpGet: object({ path: oneOf('/healthz', '/readyz'), port }),
  'periodSeconds?': count,
  'timeoutSeconds?': count,
  'failureThreshold?': count,
})

const container = object({
  ...{ name: text, image: text, securityContext: locked, resources, volumeMounts: mounts },
  env: list(object({ name: text, value: text })),
  envFrom: list({
    oneOf: [object({ configMapRef: object({ name: text }) }), object({ secretRef: object({ name: text }) })],
  }),
  ports: list(object({ name: text, containerPort: port })),
  ...{ startupProbe: probe, livenessProbe: probe, readinessProbe: probe },
})

const volume = {
  oneOf: [
    object({ name: text, secret: object({ secretName: text, 'defaultMode?': count }) }),
    object({ name: text, emptyDir: object({ 'medium?': oneOf('Memory'), 'sizeLimit?': quantity }) }),
  ],
} as const

const selector = object({ matchLabels: texts })

const podSpec = object({
  automountServiceAccountToken: { const: false },
  enableServiceLinks: flag,
  terminationGracePeriodSeconds: count,
  securityContext: object({
    runAsNonRoot: { const: true },
    runAsUser: count,
    runAsGroup: count,
    fsGroup: count,
    seccompProfile: object({ type: oneOf('RuntimeDefault') }),
  }),
  topologySpreadConstraints: list(
    object({
      maxSkew: count,
      topologyKey: text,
      whenUnsatisfiable: oneOf('ScheduleAnyway', 'DoNotSchedule'),
      labelSelector: selector,
    }),
  ),
  containers: list(container),
  volumes: list(volume),
})

export const schemas: Readonly<Record<string, Schema>> = {
  Namespace: kind('v1', 'Namespace', {}),
  ConfigMap: kind('v1', 'ConfigMap', { data: texts }),
  Secret: kind('v1', 'Secret', { stringData: texts }),
  Service: kind('v1', 'Service', {
    spec: object({ selector: texts, ports: list(object({ name: text, port, targetPort: port })) }),
  }),
  PodDisruptionBudget: kind('policy/v1', 'PodDisruptionBudget', {
    spec: object({ minAvailable: count, selector }),
  }),
  Deployment: kind('apps/v1', 'Deployment', {
    spec: object({
      replicas: count,
      selector,
      strategy: object({ type: oneOf('Recreate') }),
      template: object({ metadata: object({ labels: texts, annotations: texts }), spec: podSpec }),
    }),
  }),
  Kustomization: object({
    apiVersion: { const: 'kustomize.config.k8s.io/v1beta1' },
    kind: { const: 'Kustomization' },
    ...{ namespace: text, resources: list(text) },
    images: list(object({ name: text, newName: text, newTag: text })),
  }),
}
