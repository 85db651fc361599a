// Tests returns under MED, which are read from received Pix, from callbacks, and from the bank's list.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mountPix, type SandboxPix } from '../../../../sandbox/pix/mount.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import { openCallbackReceiver } from '../../../../test/counterparties/callback-receiver.ts'
import { connectChannel, toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import { decideOn, type Mounted, openMounted } from '../../../../test/counterparties/mounted.ts'
import { openScriptedServer, type ScriptedServer } from '../../../../test/counterparties/scripted-server.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { disputesIn } from './med.ts'

const money = { amount: 1_250n, currency: 'BRL' }
const day = 86_400_000
const devolucao = {
  id: 'D1',
  rtrId: 'D99999999202611161200abcdefghijk',
  valor: '12.50',
  status: 'DEVOLVIDO',
  natureza: 'MED_FRAUDE',
  horario: { solicitacao: '2026-11-15T10:00:00Z', liquidacao: '2026-11-16T10:00:00Z' },
}
const received = {
  txid: 'A'.repeat(27),
  endToEndId: `E${'9'.repeat(31)}`,
  valor: '12.50',
  devolucoes: [devolucao],
}
const withReturn = (changes: object) => ({ ...received, devolucoes: [{ ...devolucao, ...changes }] })

describe('the disputes in received Pix', () => {
  it('are the returns under MED, and no others', () => {
    assert.deepEqual(disputesIn([received, { ...received, devolucoes: undefined }]), [
      {
        disputeRef: `${received.endToEndId}-${devolucao.rtrId}`,
        reference: received.txid,
        money,
        reason: 'MED_FRAUDE',
        at: new Date('2026-11-16T10:00:00Z'),
      },
    ])
    for (const changes of [
      { natureza: 'ORIGINAL' },
      { natureza: undefined },
      { status: 'EM_PROCESSAMENTO' },
      { status: 'NAO_REALIZADO' },
    ])
      assert.deepEqual(disputesIn([withReturn(changes)]), [], JSON.stringify(changes))
    for (const natureza of ['MED_OPERACIONAL', 'MED_PIX_AUTOMATICO'])
      assert.equal(disputesIn([withReturn({ natureza })])?.[0]?.reason, natureza)
    assert.deepEqual(disputesIn([{ ...received, txid: undefined }]), [], 'a Pix without a charge is not ours')
  })

  it('are unknown when one cannot be read', () => {
    const wrong = [{ valor: 'x' }, { valor: '0.00' }, { horario: {} }, { id: 1, rtrId: '' }]
    for (const changes of wrong)
      assert.equal(disputesIn([received, withReturn(changes)]), undefined, JSON.stringify(changes))
    for (const endToEndId of [undefined, ''])
      assert.equal(disputesIn([{ ...received, endToEndId }]), undefined, 'two Pix would have one dispute')
    assert.equal(disputesIn(undefined), undefined)
  })
})

describe("the bank's list of returns", () => {
  let server: ScriptedServer
  let now = Date.now()
  before(async () => {
    server = await openScriptedServer()
  })
  after(() => server.close())
  const clock = { now: () => new Date(now) }
  const channel = () => {
    const texts = ['clientId', 'clientSecret', 'pixKey', 'payeeName', 'payeeCity', 'webhookSecret']
    const entry = {
      name: 'pix',
      method: 'pix',
      url: server.url,
      ...Object.fromEntries(texts.map((one) => [one, 'x'])),
    }
    return connectChannel(entry, 'pix', toolsWith({ clock }))
  }
  /** The begin and the end of each requested period, in days before now. */
  const asked: number[][] = []
  const answerPages = (pages: readonly (readonly object[])[]) =>
    server.answerWith(({ path }) => {
      if (path === '/oauth/token') return { status: 200, body: { access_token: 't', expires_in: 3600 } }
      const query = new URL(path, server.url).searchParams
      const ages = ['inicio', 'fim'].map((name) => (now - Date.parse(query.get(name) ?? '')) / day)
      asked.push(ages)
      const isNewest = ages[1] === 0
      const pix = (isNewest && pages[Number(query.get('paginacao.paginaAtual'))]) || []
      const quantidadeDePaginas = isNewest ? pages.length : 0
      return { status: 200, body: { parametros: { paginacao: { quantidadeDePaginas } }, pix } }
    })

  it('is read page by page, oldest first, and at most every 15 minutes', async () => {
    const older = withReturn({ rtrId: 'older', horario: { liquidacao: '2026-11-14T10:00:00Z' } })
    answerPages([[received], [older]])
    const one = channel()
    const refs = async (since: string) => {
      const answer = await one.disputes?.(new Date(since))
      assert.ok(answer?.kind === 'listed')
      return answer.list.map(({ disputeRef }) => disputeRef.split('-')[1])
    }
    assert.deepEqual(await refs('2000-01-01'), ['older', devolucao.rtrId])
    assert.deepEqual(await refs('2026-11-16T10:00:00Z'), [devolucao.rtrId])
    const inParts = [
      [60, 0],
      [60, 0],
      [89, 60],
      [120, 89],
    ]
    assert.deepEqual(asked, inParts)
    now += 15 * 60_000
    await refs('2000-01-01')
    assert.deepEqual(asked, [...inParts, ...inParts])
  })

  it('does without what is older than 90 days, if the bank lists none of it', async () => {
    const listed = async (oldest: number) => {
      server.answerWith(({ path }) => {
        if (path === '/oauth/token') return { status: 200, body: { access_token: 't', expires_in: 3600 } }
        const since = Date.parse(new URL(path, server.url).searchParams.get('inicio') ?? '')
        return (now - since) / day > oldest ? { status: 400 } : { status: 200, body: { pix: [received] } }
      })
      const answer = await channel().disputes?.(new Date(0))
      return answer?.kind === 'listed' ? answer.list.length : answer?.kind
    }
    assert.deepEqual([await listed(120), await listed(89), await listed(88)], [3, 2, 'unknown'])
  })

  it('is unknown if a page is full and the bank does not say how many there are', async () => {
    for (const [count, kind] of [
      [99, 'listed'],
      [100, 'unknown'],
    ] as const) {
      server.answerWith(({ path }) =>
        path === '/oauth/token'
          ? { status: 200, body: { access_token: 't', expires_in: 3600 } }
          : { status: 200, body: { pix: Array(count).fill({ txid: received.txid }) } },
      )
      assert.equal((await channel().disputes?.(new Date(0)))?.kind, kind)
    }
  })

  it('has what the bank lists late with an older time, such as a return that has only the time of its Pix', async () => {
    const one = channel()
    answerPages([[received]])
    await one.disputes?.(new Date(0))
    const late = { ...withReturn({ rtrId: 'late', horario: undefined }), horario: '2026-11-01T10:00:00Z' }
    answerPages([[received, late]])
    now += 15 * 60_000
    const answer = await one.disputes?.(new Date('2026-11-16T09:50:00Z'))
    assert.ok(answer?.kind === 'listed')
    assert.deepEqual(
      answer.list.map(({ disputeRef }) => disputeRef.split('-')[1]),
      ['late', devolucao.rtrId],
    )
  })

  it('is unknown after an error or with a return that cannot be read, and asked for again a minute later', async () => {
    for (const answer of [
      { status: 500 },
      { status: 429 },
      { status: 200, body: { pix: [withReturn({ valor: '' })] } },
    ]) {
      server.answerWith(({ path }) =>
        path === '/oauth/token' ? { status: 200, body: { access_token: 't', expires_in: 3600 } } : answer,
      )
      const one = channel()
      assert.equal((await one.disputes?.(new Date(0)))?.kind, 'unknown')
      answerPages([[]])
      assert.equal((await one.disputes?.(new Date(0)))?.kind, 'unknown')
      now += 60_000
      assert.equal((await one.disputes?.(new Date(0)))?.kind, 'listed')
    }
  })
})

describe('a payment that its bank takes back', () => {
  let bank: Mounted<SandboxPix>
  before(async () => {
    bank = await openMounted(mountPix)
  })
  after(() => bank.close())

  it('is reported as a dispute by callback and by the list', async () => {
    const callbacks = await openCallbackReceiver()
    const channel = connectChannel(bank.entry, 'pix')
    const request = makeRequest({ method: 'pix', money }, 'pays', undefined, callbacks.url)
    const opened = await channel.start(request)
    assert.ok(opened.kind === 'pending' && opened.action.kind === 'qr')
    await decideOn(opened.action.appUrl ?? '', 'approve')
    bank.counterparty.takeBack(request.reference)
    const disputes = async () => {
      const read = await Promise.all(callbacks.received().map((one) => channel.readCallback?.(one)))
      return read.flatMap((one) => (one?.kind === 'accepted' ? (one.disputes ?? []) : []))
    }
    assert.ok(await eventually(async () => (await disputes()).length > 0), 'no callback came')
    const listed = await channel.disputes?.(new Date(0))
    assert.ok(listed?.kind === 'listed')
    assert.deepEqual(listed.list, (await disputes()).slice(0, 1))
    assert.equal(listed.list[0]?.reference, request.reference)
    assert.deepEqual(listed.list[0]?.money, money)
    await callbacks.close()
  })
})
