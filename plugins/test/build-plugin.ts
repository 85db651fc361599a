// Installs a shop system beside its plugin, builds and packs the plugin, and puts the packed files where the shop looks for them.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { npmInstall } from '../../bench/npm-install.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

type Manifest = { readonly name: string; readonly devDependencies: Readonly<Record<string, string>> }

/** The plugin's folder; its shop is in `shop`. */
export async function buildPlugin(name: 'medusa' | 'vendure'): Promise<string> {
  const folder = join(root, 'plugins', name)
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const foreign = Object.entries(manifest.devDependencies).filter(([, version]) => /^\d/.test(version))
  run(join(root, 'sdk'), join(root, 'node_modules/.bin/tsc'), '-p', '.')
  await npmInstall(folder, Object.fromEntries(foreign))
  const packed = mkdtempSync(join(tmpdir(), 'tollgate-plugin-'))
  run(folder, 'npm', 'pack', '--silent', '--pack-destination', packed)
  const [archive = ''] = readdirSync(packed)
  const target = join(folder, 'shop/node_modules', manifest.name)
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  run(target, 'tar', '-xzf', join(packed, archive), '--strip-components', '1')
  rmSync(packed, { recursive: true })
  return folder
}

function run(cwd: string, program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { cwd, stdio: ['ignore', process.stderr, 'inherit'] })
}
