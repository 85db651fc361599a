// Starts a Medusa server in a folder with its configuration, after migrating its database.
import { execFile } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { promisify } from 'node:util'
import { type Child, startChild } from './child.ts'

const MIGRATE_WITHIN_MS = 900_000
const READY_WITHIN_MS = 300_000

export type MedusaSettings = {
  /** The folder of medusa-config.js. */
  readonly folder: string
  /** The path of `medusa`. */
  readonly program: string
  /** A URL over TCP: Medusa's libraries cannot connect to a socket file, so a bridge on loopback forwards to it. */
  readonly databaseUrl: string
  readonly port: number
  readonly env?: Readonly<Record<string, string>>
  readonly onOutput?: (text: string) => void
}

export async function startMedusa(settings: MedusaSettings): Promise<Child> {
  const { folder, program, databaseUrl, port, onOutput } = settings
  const env = {
    DATABASE_URL: databaseUrl,
    MEDUSA_DISABLE_TELEMETRY: 'true',
    NODE_ENV: 'production',
    LOG_LEVEL: 'info', // a line for its start, none for each request
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    ...settings.env,
  }
  await promisify(execFile)(
    process.execPath,
    [program, 'db:migrate', '--execute-all-links', '--skip-scripts'],
    {
      cwd: folder,
      env: { ...process.env, ...env },
      timeout: MIGRATE_WITHIN_MS,
    },
  )
  return startChild({
    name: 'Medusa',
    args: [program, 'start', '-H', '127.0.0.1', '-p', String(port)],
    cwd: folder,
    env,
    ready: /Server is ready/,
    readyWithinMs: READY_WITHIN_MS,
    ...(onOutput !== undefined && { onOutput }),
  })
}
