// pg-boss at its fastest: several workers that fetch large batches at the shortest interval that pg-boss allows.
import { createRequire } from 'node:module'
import type { PreparedRequest } from './deliverer.ts'
import { post } from './post.ts'

type Boss = {
  on(event: 'error', listener: (error: Error) => void): void
  start(): Promise<unknown>
  createQueue(name: string): Promise<void>
  work(
    name: string,
    options: { readonly batchSize: number; readonly pollingIntervalSeconds: number },
    handler: (jobs: readonly { readonly data: PreparedRequest }[]) => Promise<void>,
  ): Promise<string>
  stop(options: { readonly graceful: boolean }): Promise<void>
}

const WORKERS = 4
const BATCH = 500
const AT_ONCE = 64

const { DATABASE_URL = '', PEERS = '' } = process.env
const PgBoss: new (options: { readonly connectionString: string; readonly max: number }) => Boss =
  createRequire(PEERS)('pg-boss')
const boss = new PgBoss({ connectionString: DATABASE_URL, max: 10 })
boss.on('error', (error) => console.error(error.message))
await boss.start()
await boss.createQueue('deliver')
for (let worker = 0; worker < WORKERS; worker++) {
  await boss.work('deliver', { batchSize: BATCH, pollingIntervalSeconds: 0.5 }, async (jobs) => {
    const rest = jobs.values()
    await Promise.all(Array.from({ length: AT_ONCE }, () => sendAll(rest)))
  })
}
console.log('ready')
process.once('SIGTERM', () => boss.stop({ graceful: false }).then(() => process.exit(0)))

async function sendAll(jobs: Iterable<{ readonly data: PreparedRequest }>): Promise<void> {
  for (const { data } of jobs) await post(data)
}
