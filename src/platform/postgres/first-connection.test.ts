import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { describe, it, test } from 'node:test'
import { freePort } from '../../../test/harness/gateway-process.ts'
import { cloneDatabase, useDatabase } from '../../../test/harness/harness.ts'
import { missingPgBouncer, startPgBouncer } from '../../../test/harness/pgbouncer.ts'
import { SettingError } from '../errors/catalogue.ts'
import { reachDatabase } from './first-connection.ts'

async function complaint(connectionString: string): Promise<string> {
  const error = await reachDatabase({ connectionString }).catch((caught: unknown) => caught)
  assert.ok(error instanceof SettingError, String(error))
  assert.doesNotMatch(error.message, /hidden/, 'the password is not shown')
  return error.message
}

test('an existing database is reached', async (t) => {
  const database = await cloneDatabase(1)
  t.after(() => database.drop())
  await reachDatabase(database.connection)
  const elsewhere = database.url.replace(/tollgate_test_\w+/, 'no_such_database')
  assert.match(await complaint(elsewhere), /has no database no_such_database\. Create it with "createdb/)
})

test('a missing server, host, socket or address is reported in a sentence that says what to do', async () => {
  const port = await freePort()
  assert.equal(
    await complaint(`postgres://user:hidden@127.0.0.1:${port}/tollgate`),
    `the database of DATABASE_URL cannot be used: nothing listens at 127.0.0.1:${port}. Start PostgreSQL there, or correct host and port`,
  )
  assert.match(
    await complaint('postgres://user:hidden@no-such-host.invalid/tollgate'),
    /no host no-such-host\.invalid\. Correct its name|no-such-host\.invalid cannot be looked up now/,
  )
  assert.match(
    await complaint('postgres://user:hidden@/tollgate?host=%2Fno%2Fsuch%2Ffolder'),
    /no socket of PostgreSQL in \/no\/such\/folder/,
  )
})

/** A server that refuses every client with an error of PostgreSQL's protocol. */
async function refusingServer(code: string) {
  const fields = ['SFATAL', `C${code}`, 'Mauthentication failed'].map((field) => `${field}\0`).join('')
  const body = Buffer.from(`${fields}\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(body.length + 4, 1)
  const server = createServer((socket) => socket.once('data', () => socket.end(Buffer.concat([head, body]))))
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { port, close: () => server.close() }
}

for (const [code, sentence] of [
  ['28P01', /refuses the password of user shop\. Correct user and password/],
  ['28000', /does not let user shop in/],
  ['53300', /has no connection left/],
  ['XX000', /answers "authentication failed"/],
] as const)
  test(`a refusal with ${code} is reported with what to do`, async (t) => {
    const { port, close } = await refusingServer(code)
    t.after(close)
    assert.match(await complaint(`postgres://shop:hidden@127.0.0.1:${port}/tollgate`), sentence)
  })

describe('PgBouncer in front of the database', () => {
  let missing: string | undefined
  // The check for PgBouncer is in a hook. After a top-level `await`, the tests below would be cancelled if several test
  // files share a process.
  const database = useDatabase({
    maxConnections: 1,
    before: async () => {
      missing = await missingPgBouncer()
    },
  })

  for (const poolMode of ['transaction', 'statement'])
    for (const [poolSize, inTurn] of [
      [1, false],
      [2, false],
      [2, true],
      [3, true],
      [20, false],
      [20, true],
    ] as const)
      it(`is refused in ${poolMode} mode: ${poolSize} servers${inTurn ? ', used in turn' : ''}`, async (t) => {
        if (missing !== undefined) return t.skip(missing)
        const bouncer = await startPgBouncer(database.url, { poolMode, poolSize, inTurn })
        t.after(bouncer.stop)
        // The first round meets an unused pooler, and the later rounds meet a pooler with idle servers.
        for (const used of [1, 2, 3])
          assert.match(
            await complaint(bouncer.url),
            /^the database of DATABASE_URL cannot be used: the pooler at 127\.0\.0\.1:\d+ lets connections share a server\. Set its pool_mode to session, or let DATABASE_URL lead to PostgreSQL itself$/,
            `round ${used}`,
          )
      })

  for (const inTurn of [false, true])
    it(`is used in session mode${inTurn ? ', also with servers used in turn' : ''}`, async (t) => {
      if (missing !== undefined) return t.skip(missing)
      const bouncer = await startPgBouncer(database.url, { poolMode: 'session', poolSize: 20, inTurn })
      t.after(bouncer.stop)
      for (let round = 0; round < 3; round++) await reachDatabase({ connectionString: bouncer.url })
    })
})
