// The first connection at start. A failure is usually a wrong setting, so the message is one sentence that says what to do.
// It does not quote the URL, which contains a password.
import pg from 'pg'
import { SettingError } from '../errors/catalogue.ts'

const TIMEOUT_MS = 15_000

/** Connects once and disconnects. On failure throws a SettingError that says what to do. */
export async function reachDatabase(connection: pg.ClientConfig): Promise<void> {
  const client = clientOf(connection)
  // An error while disconnecting does not matter.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw new SettingError(`the database of DATABASE_URL cannot be used: ${whyNot(error, client)}`, {
      cause: error,
    })
  } finally {
    client.end().catch(() => {})
  }
}

function clientOf(connection: pg.ClientConfig): pg.Client {
  try {
    return new pg.Client({ ...connection, connectionTimeoutMillis: TIMEOUT_MS })
  } catch (error) {
    throw new SettingError('DATABASE_URL is not an address: postgres://USER:PASSWORD@HOST:PORT/DATABASE', {
      cause: error,
    })
  }
}

type Place = Pick<pg.Client, 'host' | 'port' | 'user' | 'database'>

function whyNot(error: unknown, { host, port, user = '', database = '' }: Place): string {
  const at = `${host}:${port}`
  // Node wraps the failures of several addresses in one error.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
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
  if (/timeout expired/.test(message)) return `${at} does not answer. Check host, port and firewalls`
  return sentences[code] ?? `${at} answers "${message}"`
}
