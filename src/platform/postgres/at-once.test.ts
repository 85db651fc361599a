import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { useDatabase } from '../../../test/harness/harness.ts'
import { demand, isPreconditionFailed, isTaken, type Statement } from './db.ts'
import { int4, listOf, text } from './lists.ts'

for (const [name, pipeline] of [
  ['in a pipeline', true],
  ['one by one', false],
] as const)
  describe(`atOnce, ${name}`, () => testAtOnce(pipeline))

function testAtOnce(pipeline: boolean): void {
  const database = useDatabase({
    pipeline,
    before: ({ db }) => db.query({ text: 'create table notes (id int primary key, words text not null)' }),
  })
  beforeEach(() => database.db.query({ text: 'delete from notes' }))

  const atOnce = (...statements: Statement[]) => database.db.atOnce(statements, { byKey: true })

  async function noted(): Promise<string[]> {
    const rows = await database.db.query<{ words: string }>({ text: 'select words from notes order by id' })
    return rows.map(({ words }) => words)
  }

  const note = (id: number, words: string): Statement => {
    return { name: 'test.note', text: 'insert into notes (id, words) values ($1, $2)', values: [id, words] }
  }
  const same = (is: boolean): Statement => {
    return { name: 'test.demand', text: `select ${demand('$1::bool')}`, values: [is] }
  }
  const unnamed: Statement = { text: "update notes set words = words || '!'" }

  test('the statements are one transaction, and each sees the writes of those before it', async () => {
    await atOnce(note(1, 'one'), same(true), unnamed, note(2, 'two'))
    assert.deepEqual(await noted(), ['one!', 'two'])
  })

  test('the first failure undoes the statements before it and skips those after it', async () => {
    await assert.rejects(atOnce(note(1, 'one'), same(false), note(2, 'two')), isPreconditionFailed)
    await assert.rejects(atOnce(note(1, 'one'), note(1, 'again'), note(2, 'two')), { code: '23505' })
    assert.deepEqual(await noted(), [])
  })

  test('a connection stays usable after a failure, with statements prepared or not', async () => {
    const late: Statement = { ...note(3, 'late'), name: 'test.late' }
    await assert.rejects(atOnce(same(false), late), isPreconditionFailed)
    await assert.rejects(atOnce(late, same(false)), isPreconditionFailed)
    await atOnce(late, note(4, 'later'))
    assert.deepEqual(await noted(), ['late', 'later'])
  })

  test('the same statement also runs alone in a transaction', async () => {
    await atOnce(note(1, 'one'))
    await database.db.transaction((tx) => tx.query(note(2, 'two')), { byKey: true })
    await atOnce(note(3, 'three'))
    assert.deepEqual(await noted(), ['one', 'two', 'three'])
  })

  test('a cut connection fails its statements, and the next connection works', async () => {
    const cut: Statement = { text: 'select pg_terminate_backend(pg_backend_pid())' }
    await assert.rejects(atOnce(note(1, 'one'), cut))
    await atOnce(note(2, 'two'))
    assert.deepEqual(await noted(), ['two'])
  })

  test('a connection that is cut in the middle of a transaction fails only that transaction', async () => {
    const cut: Statement = { text: 'select pg_terminate_backend(pg_backend_pid())' }
    const cutting = database.db.transaction(async (tx) => {
      await tx.query(note(1, 'one'))
      await tx.query(cut)
    })
    await assert.rejects(cutting)
    await database.db.transaction((tx) => tx.query(note(2, 'two')))
    assert.deepEqual(await noted(), ['two'])
  })

  type Note = { readonly id: number; readonly words: string }
  const notes = listOf<Note>({ id: int4((one) => one.id), words: text((one) => one.words) })
  const noteAll = (list: readonly Note[]): Statement => {
    return {
      text: `insert into notes (id, words) select id, words from ${notes.text}`,
      values: notes.values(list),
    }
  }

  test('a failed precondition has its own code, so no other failure is mistaken for it', async () => {
    const failureOf = (...statements: Statement[]) => atOnce(...statements).catch((error: unknown) => error)
    const unmet = await failureOf(same(false))
    const [divided, duplicate] = [
      await failureOf({ text: 'select 1 / (id - id) from (values (1)) as one (id)' }),
      await failureOf(note(1, 'one'), note(1, 'again')),
    ]
    assert.deepEqual([unmet, divided, duplicate].map(isPreconditionFailed), [true, false, false])
    assert.ok(isTaken(duplicate, 'notes_pkey'))
    assert.ok(!isTaken(duplicate, 'orders_number_unique'))
  })

  for (const value of [null, undefined, new Date(0), {}, ['a']]) {
    test(`the parameter ${JSON.stringify(value)} is refused, not stored as text`, async () => {
      const statement = { ...note(1, ''), values: [1, value] }
      await assert.rejects(atOnce(statement), TypeError)
      await atOnce(note(2, 'two'))
      assert.deepEqual(await noted(), ['two'])
    })
  }

  test('a value that cannot be encoded sends nothing, and the connection stays usable', async () => {
    await assert.rejects(atOnce(note(1, 'one'), noteAll([{ id: 0.5, words: 'half' }])), RangeError)
    await atOnce(note(2, 'two'))
    assert.deepEqual(await noted(), ['two'])
  })

  test('a pipeline after a failure does not overwrite bytes that are still being sent', async () => {
    const long = (size: number) =>
      noteAll(Array.from({ length: 2_000 }, (_, id) => ({ id, words: 'a'.repeat(size) })))
    for (const size of [1_000, 1_500])
      await assert.rejects(atOnce(same(false), long(size)), isPreconditionFailed)
    await atOnce(long(2_000))
    assert.deepEqual([...new Set(await noted())], ['a'.repeat(2_000)])
  })
}
