// Starts the embedded PostgreSQL in its own session, finds its process again through the lock file, and stops the
// process by a signal. Only PostgreSQL decides whether a second server may start. This code only changes the process id
// in a stale lock file.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { linkSync, lstatSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCode } from '../../base/thrown.ts'
import { type Cluster, serverEnv } from './cluster.ts'
import { canEnter, giveTo, isAlive, make, readIfThere } from './files.ts'

/** A server that this process has started. `ended` says why the server ended; undefined while the server runs. */
export type StartedServer = { ended: string | undefined }

/** The lines of a lock file: process id, data folder, start time, port, socket folder. */
type ServerLock = {
  readonly text: string
  readonly pid: number
  readonly dir: string
  /** The socket folder, or '' until the server listens. */
  readonly socketDir: string
}

export const port = 5432

const settings = {
  listen_addresses: '',
  port: `${port}`,
  max_connections: '100',
  // A response to a merchant reports a commit, so a commit must be on disk.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  // The minimum is large, so that WAL files are reused: creating a new file stops every commit for some 30 ms.
  min_wal_size: '1GB',
  checkpoint_timeout: '15min',
  jit: 'off', // The statements are short. Compiling them costs more than it saves.
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Statements and parameters contain personal data, so they are not logged.
  log_statement: 'none',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_min_duration_statement: '1s',
  log_line_prefix: '%m [%p] ',
  logging_collector: 'off',
}

const socketName = `.s.PGSQL.${port}`
const maxSocketPathBytes = 100 // The system's limit is 104 bytes on macOS and 108 bytes on Linux.
const maxLogBytes = 16 * 1024 * 1024

/** Finds the cluster's running server, whichever process started it. */
export function findServer(cluster: Cluster): ServerLock | undefined {
  const lock = readLock(join(cluster.dir, 'postmaster.pid'))
  return lock !== undefined && isPostmaster(lock) ? lock : undefined
}

/** The socket folder of the running server, or of the next one. */
export function socketDirOf(cluster: Cluster): string {
  return findServer(cluster)?.socketDir || socketFolder(cluster)
}

export async function startServer(cluster: Cluster): Promise<StartedServer> {
  const socketDir = socketFolder(cluster)
  if (socketDir !== cluster.dir) await secureFolder(socketDir, cluster)
  for (const name of [join(cluster.dir, 'postmaster.pid'), join(socketDir, `${socketName}.lock`)]) {
    disown(name, cluster)
  }
  rotateLog(cluster)
  const flags = Object.entries({ ...settings, unix_socket_directories: quoted(socketDir) })
  const args = ['-D', cluster.dir, ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  return launch(cluster, [join(cluster.bin, 'postgres'), ...args])
}

/**
 * Starts the server in its own session, so that Ctrl-C reaches only the gateway, which then stops the server. The
 * server's user opens the log file, because root should not write in another user's folder.
 */
function launch(cluster: Cluster, command: string[]): StartedServer {
  const started: StartedServer = { ended: undefined }
  const toLog = ['-c', 'log=$1; shift; umask 077; exec "$@" >>"$log" 2>&1', 'sh', logFile(cluster)]
  const options = { ...cluster.user, cwd: cluster.dir, env: serverEnv() }
  const child = spawn('/bin/sh', [...toLog, ...command], { ...options, detached: true, stdio: 'ignore' })
  child.on('error', (error) => {
    started.ended = error.message
  })
  child.on('exit', (code, signal) => {
    started.ended = `it ended with ${signal ?? `status ${code}`}`
  })
  child.unref()
  return started
}

/** Returns false if the server still runs at the deadline. */
export async function stopServer(cluster: Cluster, timeoutMs: number): Promise<boolean> {
  const server = findServer(cluster)
  if (server === undefined) return true
  process.kill(server.pid, 'SIGINT')
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(10)) {
    if (!isPostmaster(server)) return true
  }
  return false
}

export function logFile(cluster: Cluster): string {
  return join(cluster.dir, 'server.log')
}

/** The cluster folder, or a folder with a short path if the cluster's path is too long for a socket. */
function socketFolder(cluster: Cluster): string {
  const name = `tollgate-${createHash('sha256').update(cluster.dir).digest('hex').slice(0, 16)}`
  const fits = (dir: string) => Buffer.byteLength(join(dir, socketName)) <= maxSocketPathBytes
  if (fits(cluster.dir)) return cluster.dir
  const inTemp = join(tmpdir(), name)
  return fits(inTemp) && canEnter(cluster.user, tmpdir()) ? inTemp : join('/tmp', name)
}

/** Creates the folder, or checks its owner and mode: any user may have created this name in the temporary folder. */
async function secureFolder(dir: string, { user }: Cluster): Promise<void> {
  const found = lstatSync(dir, { throwIfNoEntry: false })
  if (found === undefined) {
    await make(dir, (draft) => giveTo(user, draft))
    return
  }
  const uid = user.uid ?? process.getuid?.()
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return
  throw new Error(`${dir}, the folder for the database's socket, belongs to someone else or is open to others.
Remove it and start again.`)
}

function readLock(file: string): ServerLock | undefined {
  const text = readIfThere(file)
  if (text === undefined) return undefined
  const [pid, dir = '', , , socketDir = ''] = text.split('\n')
  return { text, pid: Math.abs(Number(pid)), dir, socketDir }
}

/**
 * True if the lock's process is the cluster's server. A process id alone proves nothing: it may belong to any program
 * after a reboot. A zombie has no command.
 */
function isPostmaster({ pid, dir }: ServerLock): boolean {
  return pid > 0 && commandOf(pid).includes(`-D ${dir} `)
}

function commandOf(pid: number): string {
  if (process.platform === 'linux') return readIfThere(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? ''
  return spawnSync('ps', ['-ww', '-o', 'command=', '-p', `${pid}`], { encoding: 'utf8' }).stdout
}

/**
 * Writes our process id into a stale lock file. PostgreSQL refuses to start while the old id is alive, even if the id
 * now belongs to another program, as after a restart of a container. PostgreSQL ignores the id of its parent, which is
 * this process. The rest of the lock helps PostgreSQL to find children of a dead server.
 */
function disown(file: string, { user }: Cluster): void {
  const lock = readLock(file)
  if (lock === undefined || !(lock.pid > 0) || !isAlive(lock.pid) || isPostmaster(lock)) return
  const aside = `${file}.old-${process.pid}`
  const ours = `${file}.new-${process.pid}`
  try {
    renameSync(file, aside)
    writeFileSync(ours, lock.text.replace(/^-?\d+/, `${process.pid}`), { flag: 'wx', mode: 0o600 })
    giveTo(user, ours)
    // The file is renamed before the comparison, so that no process can change it in between. The lock of a server that
    // has just started is restored.
    linkSync(readIfThere(aside) === lock.text ? ours : aside, file)
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'EEXIST')) throw error
  } finally {
    rmSync(aside, { force: true })
    rmSync(ours, { force: true })
  }
}

function rotateLog(cluster: Cluster): void {
  const file = logFile(cluster)
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > maxLogBytes) renameSync(file, `${file}.1`)
}

/** In a setting, a name with a comma or a blank must be in double quotes. */
function quoted(dir: string): string {
  return `"${dir.replaceAll('"', '""')}"`
}
