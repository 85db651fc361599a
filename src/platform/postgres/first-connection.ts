// Opens the first connection at start. A failure usually comes from a wrong setting, so the message says what to do.
// The message does not quote the URL, which contains a password.
//
// A pooler such as PgBouncer must give each connection a server connection of its own (session mode). Otherwise
// prepared statements, session settings, advisory locks and LISTEN fail occasionally under load.
import pg from 'pg'
import { firstOf } from '../base/thrown.ts'
import { SettingError } from '../errors/catalogue.ts'

const TIMEOUT_MS = 15_000

/** Throws a SettingError that says what to do if the database cannot be used. */
export async function reachDatabase(connection: pg.ClientConfig): Promise<void> {
  const opened: pg.Client[] = []
  const open = async () => {
    const client = clientOf(connection)
    opened.push(client)
    client.on('error', () => {})
    await client.connect()
    return client
  }
  try {
    const why = await poolerProblem(open)
    if (why !== undefined) throw new SettingError(`the database of DATABASE_URL cannot be used: ${why}`)
  } catch (error) {
    if (error instanceof SettingError) throw error
    const [client] = opened
    const why = client === undefined ? String(error) : whyNot(error, client)
    throw new SettingError(`the database of DATABASE_URL cannot be used: ${why}`, { cause: error })
  } finally {
    for (const client of opened) client.end().catch(() => {})
  }
}

/**
 * The number of further connections. With three of them the check finds a shared server connection even if the pooler
 * uses its idle server connections in turn.
 */
const OTHERS = 3

/** Returns the problem to report. Undefined without a pooler, or if the pooler shares no server connection. */
async function poolerProblem(open: () => Promise<pg.Client>): Promise<string | undefined> {
  const first = await open()
  const own = await serverOf(first)
  // Without a pooler, a connection reports the process id of its server process. A pooler invents an id.
  if ('processID' in first && first.processID === own) return undefined
  const at = `${first.host}:${first.port}`
  const shared = `the pooler at ${at} lets connections share a server. Set its pool_mode to session, or let DATABASE_URL lead to PostgreSQL itself`
  for (let others = 0; others < OTHERS; others++) {
    const other = await open()
    const begun = await other.query('begin').catch((error: unknown) => error)
    // A pooler in statement mode refuses transactions. A time-out means that no server connection is free.
    if (begun instanceof pg.DatabaseError) return shared
    if (begun instanceof Error)
      return `the pooler at ${at} has too few servers. Let it open at least 26 for each gateway (default_pool_size)`
    if ((await serverOf(other)) === own || (await serverOf(first)) !== own) return shared
  }
  return undefined
}

async function serverOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

function clientOf(connection: pg.ClientConfig): pg.Client {
  try {
    return new pg.Client({ ...connection, connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS })
  } catch (error) {
    throw new SettingError('DATABASE_URL is not an address: postgres://USER:PASSWORD@HOST:PORT/DATABASE', {
      cause: error,
    })
  }
}

type Place = Pick<pg.Client, 'host' | 'port' | 'user' | 'database'>

function whyNot(error: unknown, { host, port, user = '', database = '' }: Place): string {
  const at = `${host}:${port}`
  const first = firstOf(error)
  const code = first instanceof Error && 'code' in first ? String(first.code) : ''
  const message = first instanceof Error ? first.message : String(first)
  const sentences: Readonly<Record<string, string>> = {
    ECONNREFUSED: `nothing listens at ${at}. Start PostgreSQL there, or correct host and port`,
    ENOENT: `there is no socket of PostgreSQL in ${host}. Start PostgreSQL, or correct the folder`,
    ENOTFOUND: `there is no host ${host}. Correct its name`,
    EAI_AGAIN: `the name ${host} cannot be looked up now. Check the name and this machine's DNS`,
    ETIMEDOUT: `${at} does not answer. Check host, port and firewalls`,
    '28P01': `${at} refuses the password of user ${user}. Correct user and password`,
    '28000': `${at} does not let user ${user} in. Correct the user, or pg_hba.conf on the server`,
    '3D000': `${at} has no database ${database}. Create it with "createdb ${database}", or correct the name`,
    '53300': `${at} has no connection left. Raise max_connections, or stop what holds them`,
    '57P03': `the server at ${at} is still starting. Try again in a moment`,
  }
  if (/timeout expired|read timeout/.test(message))
    return `${at} does not answer. Check host, port and firewalls`
  return sentences[code] ?? `${at} answers "${message}"`
}
