// The environment of a run: one embedded PostgreSQL with its durable settings, and a database for each contestant.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openEmbeddedPostgres } from '../src/platform/postgres/embedded/embedded-postgres.ts'

export type Server = Awaited<ReturnType<typeof openEmbeddedPostgres>>['connection']

export type Place = {
  readonly folder: string
  readonly server: Server
  readonly masterKey: string
  /** A folder for one gateway. */
  makeFolder(name: string): string
  createDatabase(name: string): Promise<string>
  /** Stops the server and removes everything. */
  remove(): Promise<void>
}

export async function openPlace(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
  // Under root the server runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o711)
  const postgres = await openEmbeddedPostgres({ dataDir: folder, say: (line) => console.error(line) })
  const server = postgres.connection
  return {
    folder,
    server,
    masterKey: randomBytes(32).toString('hex'),
    makeFolder: (name) => mkdtempSync(join(folder, `${name}-`)),
    async createDatabase(name) {
      await administer(server, `create database ${name} encoding 'UTF8'`)
      return databaseUrl(server, name)
    },
    async remove() {
      await postgres.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function databaseUrl({ host, port, user }: Server, name: string): string {
  return `postgresql://${user}@/${name}?host=${encodeURIComponent(host)}&port=${port}`
}

async function administer(server: Server, statement: string): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  await client.query(statement)
  await client.end()
}
