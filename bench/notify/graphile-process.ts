// graphile-worker with the settings that its own documents recommend for many small jobs: the worker fetches and
// completes jobs in batches.
import { createRequire } from 'node:module'
import type { PreparedRequest } from './deliverer.ts'
import { post } from './post.ts'

type GraphileWorker = {
  run(options: {
    readonly connectionString: string
    readonly concurrency: number
    readonly maxPoolSize: number
    readonly noHandleSignals: boolean
    readonly logger: unknown
    readonly taskList: { readonly deliver: (payload: PreparedRequest) => Promise<void> }
    readonly preset: { readonly worker: Record<string, unknown> }
  }): Promise<{ stop(): Promise<void> }>
  Logger: new (factory: () => () => void) => unknown
}

const { DATABASE_URL = '', PEERS = '' } = process.env
const { run, Logger }: GraphileWorker = createRequire(PEERS)('graphile-worker')
const runner = await run({
  connectionString: DATABASE_URL,
  concurrency: 128,
  maxPoolSize: 10,
  noHandleSignals: true,
  logger: new Logger(() => () => {}),
  taskList: { deliver: post },
  preset: {
    worker: { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0, pollInterval: 100 },
  },
})
console.log('ready')
process.once('SIGTERM', () => runner.stop().then(() => process.exit(0)))
