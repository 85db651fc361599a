// Installs the packages of others beside a plugin or a server, builds and packs what is ours, and puts the packed files where the
// shop looks for them.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { npmInstall } from '../../bench/npm-install.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

type Versions = Readonly<Record<string, string>>
type Manifest = {
  readonly name: string
  readonly devDependencies?: Versions
  readonly dependencies?: Versions
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

const built = new Map<string, Promise<string>>()

/** The plugin's folder; its shop is in `shop`. Built once: a shop that runs loads its files. */
export function buildPlugin(name: 'medusa' | 'vendure'): Promise<string> {
  const folder = built.get(name) ?? build(name)
  built.set(name, folder)
  return folder
}

async function build(name: 'medusa' | 'vendure'): Promise<string> {
  const folder = join(root, 'plugins', name)
  buildSdk()
  await installForeign(folder)
  putPacked(folder, join(folder, 'shop'))
  return folder
}

/** The folder of the servers that use nothing but the SDK. */
export async function buildFrameworks(): Promise<string> {
  const folder = join(root, 'plugins/frameworks')
  buildSdk()
  await installForeign(folder)
  // Without its script: that removes dist, which the plugins' shops are loading.
  putPacked(join(root, 'sdk'), folder, '--ignore-scripts')
  return folder
}

function buildSdk(): void {
  run(join(root, 'sdk'), join(root, 'node_modules/.bin/tsc'), '-p', '.')
}

async function installForeign(folder: string): Promise<void> {
  const { devDependencies, dependencies } = manifestIn(folder)
  const foreign = Object.entries({ ...devDependencies, ...dependencies }).filter(([, version]) =>
    /^\d/.test(version),
  )
  await npmInstall(folder, Object.fromEntries(foreign))
}

/** Packs the folder as `npm publish` would, into the packages of the user. */
function putPacked(folder: string, user: string, ...options: readonly string[]): void {
  const packed = mkdtempSync(join(tmpdir(), 'tollgate-plugin-'))
  run(folder, 'npm', 'pack', '--silent', '--pack-destination', packed, ...options)
  const [archive = ''] = readdirSync(packed)
  const target = join(user, 'node_modules', manifestIn(folder).name)
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  run(target, 'tar', '-xzf', join(packed, archive), '--strip-components', '1')
  rmSync(packed, { recursive: true })
}

function run(cwd: string, program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { cwd, stdio: ['ignore', process.stderr, 'inherit'] })
}
