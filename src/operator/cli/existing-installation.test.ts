import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { cloneDatabase, useDatabase } from '../../../test/harness/harness.ts'
import { runTollgate } from '../../../test/harness/operator.ts'

let dataDir: string
const database = useDatabase({
  before() {
    dataDir = mkdtempSync(join(tmpdir(), 'tollgate-none-'))
  },
  after: () => rmSync(dataDir, { recursive: true }),
})

describe('a command without the settings of the gateway', () => {
  for (const args of [
    ['explain', 'P1000000000000000000000'],
    ['ledger', 'verify'],
    ['merchant', 'create', '--name', 'Shop', '--site', 'shop.example', '--fee-bps', '0'],
    ['user', 'list'],
    ['golive', 'restored'],
  ])
    test(`"${args.slice(0, 2).join(' ')}" creates nothing, and says where it looked and which setting is missing`, async () => {
      const absent = join(dataDir, 'absent')
      for (const folder of [absent, dataDir]) {
        const before = readdirSync(dataDir)
        const { status, stderr } = await runTollgate(args, { TOLLGATE_DATA_DIR: folder })
        assert.equal(status, 1)
        assert.equal(
          stderr,
          `there is no database in ${folder}: set DATABASE_URL or TOLLGATE_DATA_DIR as the gateway has it, or run "npm start" first\n`,
        )
        assert.deepEqual(readdirSync(dataDir), before)
      }
    })

  test('"doctor" creates nothing, and finds what is missing', async () => {
    const folder = join(dataDir, 'absent')
    const { status, stdout } = await runTollgate(['doctor'], { TOLLGATE_DATA_DIR: folder })
    assert.equal(status, 1)
    assert.match(stdout, /^fail +data folder +.*absent does not exist/m)
    assert.match(stdout, /^fail +database +there is no database in .*absent: set DATABASE_URL/m)
    assert.equal(existsSync(folder), false)
  })

  test('an empty or older database is refused, and not migrated', async () => {
    const other = await cloneDatabase(2)
    const tables = () =>
      other.db.query({ text: `select count(*) from pg_tables where schemaname = 'public'` })
    const refusal = async () => {
      const env = { DATABASE_URL: other.url, TOLLGATE_DATA_DIR: join(dataDir, 'absent') }
      return (await runTollgate(['explain', 'P1000000000000000000000'], env)).stderr
    }
    await other.db.query({ text: `delete from migrations where name = (select max(name) from migrations)` })
    assert.match(await refusal(), /^the database lacks migrations of this version \(\w+\.sql\): "npm start"/)
    await other.db.query({ text: 'drop schema public cascade' })
    await other.db.query({ text: 'create schema public' })
    const before = await tables()
    assert.match(
      await refusal(),
      /^the database lacks migrations of this version \(0001_\w+\.sql and \d+ more\)/,
    )
    assert.deepEqual(await tables(), before)
    await other.drop()
  })

  test('a missing master key is named, and not created', async () => {
    const folder = join(dataDir, 'absent')
    const env = { DATABASE_URL: database.url, TOLLGATE_DATA_DIR: folder }
    const args = ['merchant', 'create', '--name', 'Shop', '--site', 'shop.example', '--fee-bps', '0']
    const { status, stderr } = await runTollgate(args, env)
    assert.equal(status, 1)
    assert.match(stderr, /^there is no master key in .*absent: set TOLLGATE_DATA_DIR or TOLLGATE_MASTER_KEY/)
    assert.equal(existsSync(folder), false)
    assert.equal((await runTollgate(['user', 'list'], env)).status, 0, 'it needs no key')
  })
})
