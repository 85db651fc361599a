import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { eventually } from '../../../test/harness/eventually.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import type { Tx } from './db.ts'
import { createSweeper, sweep } from './sweep.ts'

const letters = {
  table: 'letters',
  key: ['id'],
  storedIn: 'stored_in',
  waits: 'is_open and due_at is null',
  due: 'due_at = meant_at',
}

const database = useDatabase({
  async before() {
    await run(`
    create table letters (
      id int primary key,
      is_open boolean not null default true,
      meant_at timestamptz not null default '2030-01-01Z',
      due_at timestamptz,
      stored_in bigint not null default pg_current_xact_id()::text::bigint
    );
    create index letters_by_transaction on letters using brin (stored_in) with (pages_per_range = 32, autosummarize = on)`)
  },
})

beforeEach(() =>
  run(`
    truncate letters; delete from sweeps where name = 'letters';
    insert into sweeps (name, cluster, swept_until)
    select 'letters', system_identifier, pg_current_xact_id()::text::bigint from pg_control_system()`),
)

const run = (text: string) => database.db.query({ text })
const insert = (id: number) => run(`insert into letters (id) values (${id})`)
const doSweep = () => sweep(database.db, letters)

async function due(): Promise<number[]> {
  const rows = await database.db.query<{ id: number }>({
    text: 'select id from letters where due_at = meant_at order by id',
  })
  return rows.map(({ id }) => id)
}

/** A transaction that runs until the test ends it. */
async function begin(work: (tx: Tx) => Promise<unknown>) {
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const ended = database.db.transaction(async (tx) => {
    await work(tx)
    begun.resolve()
    await end.promise
  })
  await Promise.race([begun.promise, ended])
  return {
    async commit() {
      end.resolve()
      await ended
    },
    async rollBack() {
      end.reject(new Error('rolled back'))
      await assert.rejects(ended, /rolled back/)
    },
  }
}

describe('a sweep', () => {
  it('gives its due time to each row that is still open', async () => {
    await insert(1)
    await run('insert into letters (id, is_open) values (2, false)')
    await doSweep()
    assert.deepEqual(await due(), [1])
  })

  it('looks once at every row', async () => {
    await insert(1)
    // Transactions of other databases on the server may be running.
    assert.ok(
      await eventually(async () => {
        await doSweep()
        const rows = await run(`
          select from sweeps where name = 'letters' and swept_until > (select max(stored_in) from letters)`)
        return rows.length === 1
      }),
    )
    await run('update letters set due_at = null')
    await insert(2)
    await doSweep()
    assert.deepEqual(await due(), [2])
  })

  it('finds later what was being stored while it passed, and the rest at once', async () => {
    const slow = await begin((tx) => tx.query({ text: 'insert into letters (id) values (1)' }))
    await insert(2)
    await doSweep()
    assert.deepEqual(await due(), [2], 'a transaction under way delays no row of another')
    await insert(3)
    await doSweep()
    assert.deepEqual(await due(), [2, 3])
    await slow.commit()
    await doSweep()
    assert.deepEqual(await due(), [1, 2, 3])
  })

  it('finds what a transaction stores that began before it and stored nothing until later', async () => {
    const slow = Promise.withResolvers<void>()
    const stored = database.db.transaction(async (tx) => {
      await tx.query({ text: 'select now()' })
      await slow.promise
      await tx.query({ text: 'insert into letters (id) values (1)' })
    })
    await insert(2)
    await doSweep()
    slow.resolve()
    await stored
    await doSweep()
    assert.deepEqual(await due(), [1, 2])
  })

  it('does not wait for a row that somebody changes, and finds it later if the change is undone', async () => {
    await insert(1)
    await insert(2)
    const change = await begin((tx) => tx.query({ text: 'update letters set is_open = false where id = 1' }))
    await doSweep()
    assert.deepEqual(await due(), [2])
    await change.rollBack()
    await doSweep()
    assert.deepEqual(await due(), [1, 2])
  })

  it('may be made by several nodes at a time', async () => {
    await run('insert into letters (id) select generate_series(1, 200)')
    await Promise.all(Array.from({ length: 8 }, doSweep))
    await doSweep()
    assert.equal((await due()).length, 200)
  })

  it('begins anew in a database that was restored on a server that counts transactions otherwise', async () => {
    await run("update sweeps set swept_until = 1e15, cluster = 1 where name = 'letters'")
    await run('insert into letters (id, stored_in) values (1, 1e15), (2, 1e14)')
    await insert(3)
    const change = await begin((tx) => tx.query({ text: 'update letters set is_open = false where id = 1' }))
    await doSweep()
    assert.deepEqual(await due(), [2, 3])
    await change.rollBack()
    await doSweep()
    assert.deepEqual(await due(), [1, 2, 3])
    await insert(4)
    await doSweep()
    assert.deepEqual(await due(), [1, 2, 3, 4])
  })

  it('is done with such a database although somebody holds a row that was stored there since', async () => {
    await run("update sweeps set swept_until = 1e15, cluster = 1 where name = 'letters'")
    await run('insert into letters (id, stored_in) values (1, 1e15)')
    await insert(2)
    const change = await begin((tx) => tx.query({ text: 'update letters set is_open = false where id = 2' }))
    await doSweep()
    const [swept] = await run(
      "select cluster = system_identifier as is_here, swept_until < 1e14 as is_low from sweeps, pg_control_system() where name = 'letters'",
    )
    assert.deepEqual({ swept, due: await due() }, { swept: { is_here: true, is_low: true }, due: [1] })
    await change.rollBack()
    await doSweep()
    assert.deepEqual(await due(), [1, 2])
  })
})

describe('a sweeper', () => {
  it('sweeps at first and then every few seconds, and reports a failure', async () => {
    const failures: unknown[] = []
    const failed = (error: unknown) => failures.push(error)
    const often = createSweeper(database.db, letters, { everyMs: 0, failed })
    const seldom = createSweeper(database.db, letters, { everyMs: 60_000, failed })
    await insert(1)
    await seldom()
    assert.deepEqual(await due(), [1])
    await insert(2)
    await seldom()
    assert.deepEqual(await due(), [1])
    await often()
    assert.deepEqual(await due(), [1, 2])
    await createSweeper(database.db, { ...letters, waits: 'nonsense' }, { everyMs: 60_000, failed })()
    assert.equal(failures.length, 1)
  })
})
