import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { eventually } from '../../../../test/harness/eventually.ts'
import { openSignerSocket, type Signer, type SignerAnswer } from './signer.ts'

const from = '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'
const LONG_MS = 60_000

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-socket-'))
  path = join(folder, 'signer.sock')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Opens a signer's socket that passes each line to `reply`. */
async function listen(reply: (request: { id: string }, connection: Socket) => void) {
  const lines: string[] = []
  const connections = new Set<Socket>()
  const server: Server = createServer((connection) => {
    connections.add(connection)
    connection.on('error', () => {})
    createInterface({ input: connection }).on('line', (line) => {
      lines.push(line)
      reply(JSON.parse(line), connection)
    })
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  return {
    lines,
    connections,
    async close() {
      for (const connection of connections) connection.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const say = (connection: Socket, ...answers: object[]) =>
  connection.write(answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''))

const silent = () => {}
const open = (answerMs = LONG_MS) => openSignerSocket({ path, from, answerMs })

async function answersOf(signer: Signer, count = 1): Promise<SignerAnswer[]> {
  const all: SignerAnswer[] = []
  assert.ok(
    await eventually(async () => {
      all.push(...(await signer.answers()))
      return all.length >= count
    }),
  )
  return all
}

const isForgotten = (signer: Signer) => eventually(async () => (await signer.asked()).size === 0)

describe('a signer over a socket', () => {
  it('gets a request in one line, and its answer ends it', async () => {
    const there = await listen(({ id }, connection) => say(connection, { id, raw: ' 0x02ab ' }))
    const signer = open()
    await signer.ask('R1', { id: 'R1', pays: '4 USDC\nto 0x' })
    assert.deepEqual([...(await signer.asked())], ['R1'])
    assert.deepEqual(await answersOf(signer), [{ id: 'R1', kind: 'signed', raw: '0x02ab' }])
    assert.deepEqual(there.lines, ['{"id":"R1","pays":"4 USDC\\nto 0x"}'])
    await signer.finish('R1', 'done')
    assert.equal((await signer.asked()).size, 0)
    await there.close()
  })

  it('is away, and is asked when it is back', async () => {
    const signer = open()
    await assert.rejects(signer.ask('R1', { id: 'R1' }), /cannot be reached at .*signer\.sock \(ENOENT\)/)
    assert.equal((await signer.asked()).size, 0)
    const there = await listen(({ id }, connection) => say(connection, { id, refused: 'no' }))
    await signer.ask('R1', { id: 'R1' })
    assert.deepEqual(await answersOf(signer), [{ id: 'R1', kind: 'refused', why: 'no' }])
    await there.close()
  })

  it('is asked again after it was restarted', async () => {
    const before = await listen(silent)
    const signer = open()
    await signer.ask('R1', { id: 'R1' })
    assert.ok(await eventually(async () => before.lines.length === 1))
    await before.close()
    assert.ok(await isForgotten(signer))
    const later = await listen(({ id }, connection) => say(connection, { id, raw: '0x02' }))
    await signer.ask('R1', { id: 'R1' })
    assert.equal((await answersOf(signer))[0]?.kind, 'signed')
    await later.close()
  })

  it('is asked again over another connection when its time is over', async () => {
    const there = await listen(silent)
    const signer = open(20)
    await signer.ask('R1', { id: 'R1' })
    assert.ok(await isForgotten(signer))
    await signer.ask('R1', { id: 'R1' })
    assert.ok(await eventually(async () => there.connections.size === 2 && there.lines.length === 2))
    await there.close()
  })

  it('may answer twice, late, and about another id', async () => {
    const there = await listen(({ id }, connection) => {
      say(connection, { id, raw: '0x02aa' }, { id, raw: '0x02bb' }, { id: 'R9', raw: '0x02cc' })
    })
    const signer = open()
    await signer.ask('R1', { id: 'R1' })
    const ids = (await answersOf(signer, 3)).map(({ id }) => id)
    assert.deepEqual(ids, ['R1', 'R1', 'R9'])
    const [connection] = there.connections
    assert.ok(connection)
    say(connection, { id: 'R1', raw: '0x02dd' })
    assert.deepEqual(await answersOf(signer), [{ id: 'R1', kind: 'signed', raw: '0x02dd' }])
    await there.close()
  })

  const rubbish: Readonly<Record<string, string>> = {
    'no JSON': 'hello\n',
    'no id': '{"raw":"0x02"}\n',
    'neither a transaction nor a refusal': '{"id":"R1"}\n',
    'a line without an end': 'x'.repeat(20_000),
    'a line that is too long': `{"id":"R1","raw":"0x${'02'.repeat(10_000)}"}\n`,
    'answers without an end': '{"id":"R1","raw":"0x02"}\n'.repeat(300),
  }
  for (const [what, text] of Object.entries(rubbish))
    it(`loses its connection when it sends ${what}`, async () => {
      const there = await listen((_, connection) => connection.write(text))
      const signer = open()
      await signer.ask('R1', { id: 'R1' })
      assert.ok(await isForgotten(signer))
      const answers = await signer.answers()
      assert.ok(answers.length <= 300)
      assert.equal(answers.at(-1)?.kind, what.startsWith('answers') ? 'signed' : 'malformed')
      await there.close()
    })

  it('gets no more than a hundred requests at a time', async () => {
    const there = await listen(silent)
    const signer = open()
    for (let at = 0; at < 120; at++) await signer.ask(`R${at}`, { id: `R${at}` })
    assert.equal((await signer.asked()).size, 100)
    await signer.finish('R7', 'done')
    await signer.ask('R119', { id: 'R119' })
    assert.ok(await eventually(async () => there.lines.length === 101))
    await there.close()
  })
})

describe('the check of a signer over a socket', () => {
  const signal = AbortSignal.timeout(LONG_MS)

  it('is right if the signer has the key of the account', async () => {
    const there = await listen(({ id }, connection) => say(connection, { id, signs: from }))
    const { isRight, message } = await open().check(signal)
    assert.deepEqual({ isRight, message }, { isRight: true, message: `the signer answers at ${path}` })
    assert.deepEqual(JSON.parse(there.lines[0] ?? ''), {
      id: 'check',
      from: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    })
    await there.close()
  })

  it('is wrong if the signer is away, silent, has another key, or answers something else', async () => {
    assert.match((await open().check(signal)).message, /cannot be reached.*is it running/)
    const replies = [
      { reply: (_: unknown, connection: Socket) => connection.destroy(), said: /does not answer/ },
      {
        reply: ({ id }: { id: string }, to: Socket) => say(to, { id, signs: '0xaa' }),
        said: /signs for 0xaa/,
      },
      { reply: (_: unknown, connection: Socket) => say(connection, { hello: 1 }), said: /something else/ },
    ]
    for (const { reply, said } of replies) {
      const there = await listen((request, connection) => void reply(request, connection))
      const { isRight, message } = await open().check(signal)
      assert.equal(isRight, false)
      assert.match(message, said)
      await there.close()
    }
  })
})
