// Compares deploy/ with the code: settings, runtime flags, metrics and files. test/stories/deploy.long.test.ts runs the
// parts of deploy/ that can be run.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  execForm,
  filesIn,
  imageEnv,
  read,
  readDockerfile,
  readYaml,
  root,
  unitValues,
} from './deploy/read-deploy.ts'

function all(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([found]) => found))].sort()
}

const { scripts, version } = JSON.parse(read('package.json'))
const startFlags = all(scripts.start, /--[\w-]+(?:=\d+)?/g)
const startEnv = all(scripts.start, /\b(MALLOC_\w+=\d+|NODE_COMPILE_CACHE)/g)

test('the image and the systemd unit start the gateway with the flags of npm start', () => {
  assert.ok(startFlags.length > 0 && startEnv.length > 0)
  const [program, ...flags] = execForm('ENTRYPOINT')
  assert.deepEqual({ program, flags: flags.toSorted() }, { program: 'node', flags: startFlags })
  const [command = ''] = unitValues('ExecStart')
  assert.deepEqual(all(command, /--[\w-]+(?:=\d+)?/g), startFlags)
  for (const pair of startEnv) {
    const [name = '', value] = pair.split('=')
    if (value !== undefined) assert.equal(imageEnv()[name], value)
    assert.ok(imageEnv()[name])
    assert.ok(
      unitValues('Environment').some((one) => one.startsWith(pair)),
      `the unit sets ${pair}`,
    )
  }
})

test('the command line gets every setting of the unit from the example', () => {
  const example = read('deploy/tollgate.env.example').split('\n')
  const settings = unitValues('Environment').filter((one) => one.startsWith('TOLLGATE_'))
  assert.ok(settings.length > 0)
  for (const setting of settings) assert.ok(example.includes(setting), setting)
})

test('every setting in deploy/ is one that the gateway or the sandbox reads', () => {
  const sources = read('src/platform/config/config.ts') + read('sandbox/main.ts')
  const files = filesIn('deploy/{*,kubernetes/*}').filter(
    (file) => !/\/(kubernetes|grafana|prometheus)$/.test(file),
  )
  const unknown = files.flatMap((file) =>
    all(read(file), /\b(TOLLGATE_[A-Z_]+|DATABASE_URL)\b/g)
      .filter((name) => !new RegExp(`\\b${name}\\b`).test(sources))
      .map((name) => `${file}: ${name}`),
  )
  assert.deepEqual(unknown, [])
})

test('every metric in the rules and the dashboard exists', () => {
  const made = all(
    read('src/platform/runtime/metrics.ts') + read('src/gateway/watch.ts'),
    /(?<=')tollgate_[a-z_]+(?=')/g,
  )
  for (const file of filesIn('deploy/{prometheus,grafana}/*')) {
    const named = all(read(file), /\btollgate_[a-z_]+/g).map((name) =>
      name.replace(/_(bucket|sum|count)$/, ''),
    )
    assert.ok(named.length > 5, file)
    assert.deepEqual(
      named.filter((name) => !made.includes(name)),
      [],
      file,
    )
  }
})

test('every alert has a test in which it fires, and is explained', () => {
  const alerts = all(read('deploy/prometheus/tollgate.rules.yaml'), /(?<=alert: )\w+/g)
  const fired = all(
    read('deploy/prometheus/tollgate.rules.test.yaml'),
    /(?<=alertname: )\w+(?=\n +exp_alerts:)/g,
  )
  assert.deepEqual(fired, alerts)
  assert.deepEqual(
    all(read('docs/deployment.md'), /\bTollgate[A-Z]\w+/g),
    alerts,
    'docs/deployment.md lists them',
  )
})

test('the panels of the dashboard have one id each, and do not overlap', () => {
  type Panel = { id: number; gridPos: { x: number; y: number; w: number; h: number } }
  const { panels }: { panels: Panel[] } = JSON.parse(read('deploy/grafana/tollgate.json'))
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
  )
  assert.equal(new Set(cells).size, cells.length)
})

test('the image has what it copies, does not run as root, and has a health check', () => {
  const instructions = readDockerfile()
  const known = /^(FROM|WORKDIR|COPY|RUN|ENV|USER|VOLUME|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD)$/
  assert.deepEqual(
    instructions.filter(({ name }) => !known.test(name)),
    [],
  )
  const stages = instructions.filter(({ name }) => name === 'FROM').length
  assert.equal(stages, 2)
  const made = ['node_modules', 'web/dist', 'downloads']
  for (const path of copiedFolders()) assert.ok(made.includes(path) || existsSync(join(root, path)), path)
  assert.deepEqual(
    instructions.filter(({ name }) => name === 'USER').map(({ text }) => text),
    ['10001:10001'],
  )
  const health = instructions.find(({ name }) => name === 'HEALTHCHECK')?.text ?? ''
  assert.match(health, /\/readyz/)
  const ignored = read('deploy/Dockerfile.dockerignore').split('\n')
  for (const path of copiedFolders()) assert.ok(made.includes(path) || !ignored.includes(path), path)
})

function copiedFolders(): string[] {
  const copies = readDockerfile().filter(({ name }) => name === 'COPY')
  return copies.flatMap(({ text }) => /--from=build \/app\/(\S+)/.exec(text)?.[1] ?? [])
}

test('compose gives every service a read-only root, and names volumes and services that exist', () => {
  type Container = {
    read_only?: boolean
    volumes?: string[]
    depends_on?: Record<string, unknown>
    image: string
  }
  const [compose] = JSON.parse(JSON.stringify(readYaml('deploy/compose.yaml')))
  const services: Record<string, Container> = compose.services
  for (const [name, { read_only, volumes = [], depends_on = {}, image }] of Object.entries(services)) {
    if (image === 'tollgate') assert.ok(read_only, name)
    for (const volume of volumes) assert.ok((volume.split(':')[0] ?? '') in compose.volumes, volume)
    for (const other of Object.keys(depends_on)) assert.ok(other in services, other)
  }
})

test('images of others are pinned by digest: a tag can be moved to another image', () => {
  const stages = readDockerfile().filter(({ name }) => name === 'FROM')
  const [compose] = JSON.parse(JSON.stringify(readYaml('deploy/compose.yaml')))
  const services: { image: string }[] = Object.values(compose.services)
  const manifests = filesIn('deploy/kubernetes/*.yaml').flatMap((file) => all(read(file), /(?<=image: )\S+/g))
  const images = [
    ...stages.map(({ text }) => text.split(' ')[0] ?? ''),
    ...services.map(({ image }) => image),
    ...manifests,
  ]
  const foreign = images.filter((image) => image !== 'tollgate')
  assert.ok(foreign.length >= 3)
  for (const image of foreign) assert.match(image, /^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/)
})

test('the manifests name the version of package.json', () => {
  assert.ok(read('deploy/kubernetes/kustomization.yaml').includes(`newTag: ${version}`))
})
