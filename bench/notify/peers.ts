// Other queues on PostgreSQL, each delivering from its own process. Only this run installs them, into a folder that is
// neither committed nor locked.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDb } from '../../src/platform/postgres/db.ts'
import { programPath, startChild } from '../child.ts'
import { npmInstall } from '../npm-install.ts'
import type { Place } from '../place.ts'
import { type Deliverer, requestOf } from './deliverer.ts'

const versions = { 'graphile-worker': '0.17.3', 'pg-boss': '10.4.2' } as const
const folder = programPath('./.peers/notify')

type Peer = {
  readonly name: keyof typeof versions
  readonly program: string
  readonly insert: string
  readonly left: string
}

const peers: readonly Peer[] = [
  {
    name: 'graphile-worker',
    program: './notify/graphile-process.ts',
    insert: `select count(*)::int from graphile_worker.add_jobs(
      (select array_agg(row('deliver', job, null, null, null, null, null, null)::graphile_worker.job_spec)
        from json_array_elements($1) job))`,
    left: 'select count(*)::int as left from graphile_worker._private_jobs',
  },
  {
    name: 'pg-boss',
    program: './notify/boss-process.ts',
    insert: `insert into pgboss.job (name, data) select 'deliver', job from json_array_elements($1) job`,
    left: `select count(*)::int as left from pgboss.job where state < 'completed'`,
  },
]

export async function startPeers(place: Place, url: string): Promise<Deliverer[]> {
  await install()
  const started: Deliverer[] = []
  for (const peer of peers) started.push(await startPeer(place, peer, url))
  return started
}

async function install(): Promise<void> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: versions }))
  await npmInstall(folder, versions)
}

async function startPeer(
  place: Place,
  { name, program, insert, left }: Peer,
  url: string,
): Promise<Deliverer> {
  const databaseUrl = await place.createDatabase(`bench_${name.replace('-', '_')}`)
  const env = { DATABASE_URL: databaseUrl, PEERS: join(folder, 'package.json') }
  const child = await startChild({ name, args: [programPath(program)], env })
  const db = openDb({ connection: { connectionString: databaseUrl }, maxConnections: 2 })
  return {
    name,
    pid: child.pid,
    async enqueue(first, count) {
      const jobs = Array.from({ length: count }, (_, offset) => requestOf(first + offset, url))
      await db.query({ text: insert, values: [JSON.stringify(jobs)] })
    },
    async isIdle() {
      const [row] = await db.query<{ left: number }>({ text: left })
      return row?.left === 0
    },
    async stop() {
      await child.stop()
      await db.close()
    },
  }
}
