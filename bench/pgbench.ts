// PostgreSQL's own benchmark, the TPC-B script, in its own database on the same server.
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { promisify } from 'node:util'
import { installPackage } from '../test/harness/debian-packages.ts'
import type { Place } from './place.ts'

export type Pgbench = { run(seconds: number): Promise<number> }

const SCALE = 50
const CLIENTS = 32
const THREADS = 2
const DATABASE = 'bench_pgbench'

const run = promisify(execFile)

export async function openPgbench(place: Place): Promise<Pgbench> {
  const program = findProgram() ?? (await install())
  await place.createDatabase(DATABASE)
  const { host, port, user } = place.server
  const reach = ['-h', host, '-p', String(port), '-U', user]
  await run(program, ['-i', '-q', '-s', String(SCALE), ...reach, DATABASE])
  const args = ['-c', String(CLIENTS), '-j', String(THREADS), '-M', 'prepared', ...reach]
  return {
    async run(seconds) {
      const { stdout } = await run(program, [...args, '-T', String(seconds), DATABASE])
      const tps = /^tps = ([\d.]+)/m.exec(stdout)?.[1]
      if (tps === undefined) throw new Error(`pgbench printed no rate:\n${stdout}`)
      return Number(tps)
    },
  }
}

/** The program of the newest version among Debian's packages. */
function findProgram(): string | undefined {
  return globSync('/usr/lib/postgresql/*/bin/pgbench').sort().at(-1)
}

async function install(): Promise<string> {
  await installPackage('postgresql')
  const program = findProgram()
  if (program === undefined)
    throw new Error('pgbench is missing, although the package postgresql is installed')
  return program
}
