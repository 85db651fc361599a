import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brCode } from '../../../../sandbox/pix/br-code.ts'
import type { Fields } from '../../../platform/base/object.ts'
import type { StartRequest } from '../../contract/channel.ts'
import { fromDevolucao, pixToRefund } from './refunds.ts'
import { fromCob, toCob } from './wire.ts'

const now = new Date('2026-11-15T12:00:00Z')
const txid = 'A0123456789ABCDEFGHJKMNPQR1'
const money = { amount: 1_250n, currency: 'BRL' }
const payee = { pixKey: 'shop@example.com', payeeName: 'Shop', payeeCity: 'Recife' }
const charge = { txid, money, payee }
const location = 'pix.bank.example/qr/v2/1'
const code = brCode({ location, amount: '12.50', name: 'SHOP', city: 'RECIFE' })
const received = {
  endToEndId: 'E9999999920261115120012345678901',
  txid,
  valor: '12.50',
  horario: '2026-11-15T12:00:30.000Z',
  pagador: { cpf: '52998224725', nome: 'Ana Souza' },
}
const cob = { txid, status: 'ATIVA', valor: { original: '12.50' }, location, pixCopiaECola: code }

function read(changed: Fields, status = 200) {
  return fromCob({ kind: 'answer', status, body: { ...cob, ...changed } }, charge)
}

describe('a charge from the bank', () => {
  it('shows the payer the code, and an app only at a web address', () => {
    const action = { kind: 'qr', qrCode: code, payee: 'SHOP', reference: txid }
    assert.deepEqual(read({}), { kind: 'pending', channelRef: txid, action })
    const appUrl = 'https://bank.example/app'
    const outcome = read({ infoAdicionais: [{ nome: 'appUrl', valor: appUrl }] })
    assert.deepEqual(outcome, { kind: 'pending', channelRef: txid, action: { ...action, appUrl } })
    assert.deepEqual(read({ infoAdicionais: [{ nome: 'appUrl', valor: 'javascript:1' }] }), read({}))
  })

  it('gets its QR code from the location if the bank sends none', () => {
    const outcome = read({ pixCopiaECola: undefined })
    assert.equal(outcome.kind, 'pending')
    assert.equal(outcome.action.kind, 'qr')
    assert.ok(outcome.action.qrCode.includes(location))
  })

  it('contains payers and amounts', () => {
    const outcome = read({ status: 'CONCLUIDA', pix: [received] })
    assert.equal(outcome.kind, 'received')
    assert.deepEqual(outcome.deposits, [
      {
        depositRef: received.endToEndId,
        money,
        at: new Date('2026-11-15T12:00:30Z'),
        payerName: 'Ana Souza',
        payerAccount: '52998224725',
      },
    ])
  })

  it('is paid without a QR code too, which banks need not send', () => {
    const other = brCode({ location, amount: '12.51', name: 'SHOP', city: 'RECIFE' })
    for (const changed of [{ pixCopiaECola: undefined, location: undefined }, { pixCopiaECola: other }])
      for (const status of ['ATIVA', 'CONCLUIDA']) {
        const outcome = read({ ...changed, status, pix: [received] })
        assert.equal(outcome.kind, 'received')
        assert.deepEqual(outcome.deposits[0]?.money, money)
        assert.ok(!('action' in outcome), 'the code that the payer has stays')
      }
    assert.ok('action' in read({ pix: [received] }))
  })

  it('is unknown when it is malformed', () => {
    const other = brCode({ location, amount: '12.51', name: 'SHOP', city: 'RECIFE' })
    const nonsense: readonly Fields[] = [
      { txid: `${txid}2` },
      { status: 'PAGA' },
      { status: 'CONCLUIDA' },
      { valor: { original: '12.51' } },
      { pixCopiaECola: other },
      { pixCopiaECola: `${code}0` },
      { pixCopiaECola: undefined, location: undefined },
      { pix: [{ ...received, valor: '-12.50' }] },
      { pix: [{ ...received, endToEndId: 7 }] },
      { pix: [{ ...received, horario: 'yesterday' }] },
      { pix: 'all of it' },
    ]
    for (const changed of nonsense) assert.equal(read(changed).kind, 'unknown', JSON.stringify(changed))
    for (const status of [302, 404, 500]) assert.equal(read({}, status).kind, 'unknown')
    assert.equal(fromCob({ kind: 'answer', status: 200, body: undefined }, charge).kind, 'unknown')
  })
})

describe('a request to the bank', () => {
  const request: StartRequest = {
    reference: txid,
    money,
    merNo: 10_001,
    personal: { socialSecurityNumber: '11.222.333/0001-81' },
    details: { name: 'Padaria' },
    terminal: 'WEB',
    merchantName: 'Shop',
    expiresAt: new Date(now.getTime() + 90_500),
    completeUrl: 'https://pay.example/complete',
    callbackUrl: 'https://pay.example/callbacks/pix',
  }

  it('names the payer by tax number and name, and when the charge ends', () => {
    assert.deepEqual(toCob(request, payee, now), {
      calendario: { expiracao: 91 },
      devedor: { cnpj: '11222333000181', nome: 'Padaria' },
      valor: { original: '12.50' },
      chave: 'shop@example.com',
      solicitacaoPagador: 'Shop',
    })
  })

  it('leaves the payer out if one of them is missing', () => {
    for (const missing of [{ personal: {} }, { details: {} }])
      assert.equal(toCob({ ...request, ...missing }, payee, now).devedor, undefined)
  })
})

describe('a refund of a charge with several Pix', () => {
  const refund = {
    reference: txid,
    money,
    refundReference: 'R1',
    refund: { amount: 500n, currency: 'BRL' },
  }
  const given = (id: string, valor: string, status: string) => ({ id, valor, status })
  const pix = (endToEndId: string, valor: string, ...devolucoes: Fields[]) => ({
    endToEndId,
    valor,
    devolucoes,
  })

  it('uses the first Pix with enough left', () => {
    assert.equal(pixToRefund({ pix: [pix('E1', '4.99'), pix('E2', '5.00')] }, refund), 'E2')
    const partly = pix('E1', '7.00', given('R0', '2.01', 'EM_PROCESSAMENTO'))
    assert.equal(pixToRefund({ pix: [partly, pix('E2', '6.00')] }, refund), 'E2')
    const free = pix('E1', '7.00', given('R0', '2.01', 'NAO_REALIZADO'))
    assert.equal(pixToRefund({ pix: [free, pix('E2', '6.00')] }, refund), 'E1')
    assert.equal(pixToRefund({ pix: [pix('E1', '4.99'), pix('E2', '4.99')] }, refund), undefined)
  })

  it('uses the same Pix when it is repeated', () => {
    const before = pix('E2', '5.00', given('R1', '5.00', 'DEVOLVIDO'))
    assert.equal(pixToRefund({ pix: [pix('E1', '9.00'), before] }, refund), 'E2')
  })

  it('is unknown when the response is about another refund or has no known state', () => {
    const returned = { id: 'R1', rtrId: 'D1', valor: '5.00', status: 'DEVOLVIDO' }
    const read = (body: Fields) => fromDevolucao({ kind: 'answer', status: 201, body }, refund).kind
    assert.equal(read(returned), 'succeeded')
    for (const changed of [{ id: 'R2' }, { status: 'TALVEZ' }, { valor: '5,00' }])
      assert.equal(read({ ...returned, ...changed }), 'unknown')
  })
})
