// Installs third-party packages for comparisons and for the tests of plugins, into folders that are neither committed
// nor locked.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const WITHIN_MS = 1_800_000

/** Installs the versions into `folder`, which has a package.json, unless they are installed. */
export async function npmInstall(folder: string, versions: Readonly<Record<string, string>>): Promise<void> {
  const missing = Object.entries(versions).filter(
    ([name, version]) => installedVersion(folder, name) !== version,
  )
  if (missing.length === 0) return
  process.stderr.write(`installing ${missing.map(([name, version]) => `${name} ${version}`).join(', ')}\n`)
  const args = ['install', '--no-audit', '--no-fund', '--no-package-lock']
  await promisify(execFile)('npm', args, { cwd: folder, timeout: WITHIN_MS })
}

function installedVersion(folder: string, name: string): string | undefined {
  const manifest = join(folder, 'node_modules', name, 'package.json')
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined
}
