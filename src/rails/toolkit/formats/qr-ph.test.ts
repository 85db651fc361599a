import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QRPay } from 'vietnam-qr-pay'
import { scanQr } from '../../../../test/harness/scan-qr.ts'
import { type QrPh, qrPh } from './qr-ph.ts'

const given: QrPh = {
  bic: 'GXCHPHM2XXX',
  store: '217020000001',
  payee: 'Señor Café',
  money: { amount: 123_45n, currency: 'PHP' },
  reference: 'TG000000042',
}

/** Parses a payload without the code under test. */
function fieldsOf(payload: string): Record<string, string> {
  const fields: Record<string, string> = {}
  for (let at = 0; at < payload.length; ) {
    const length = Number(payload.slice(at + 2, at + 4))
    fields[payload.slice(at, at + 2)] = payload.slice(at + 4, at + 4 + length)
    at += 4 + length
  }
  return fields
}

test('a code contains acquirer, shop, amount, currency and reference', () => {
  const payload = qrPh(given) ?? ''
  const { 28: account = '', 62: more = '', 63: crc, ...rest } = fieldsOf(payload)
  assert.deepEqual(rest, {
    '00': '01',
    '01': '12',
    52: '0000',
    53: '608',
    54: '123.45',
    58: 'PH',
    59: 'Senor Cafe',
    60: 'Manila',
  })
  assert.deepEqual(fieldsOf(account), {
    '00': 'ph.ppmi.p2m',
    '01': 'GXCHPHM2XXX',
    '03': '217020000001',
    '05': '010',
  })
  assert.deepEqual(fieldsOf(more), { '00': 'ph.ppmi.qrph', '05': 'TG000000042' })
  assert.equal(crc, QRPay.genCRCCode(payload.slice(0, -4)))
})

test('a short BIC is padded', () => {
  assert.match(qrPh({ ...given, bic: 'GXCHPHM2' }) ?? '', /0111GXCHPHM2XXX/)
})

test('a scanner reads the QR image back', () => {
  const payload = qrPh(given) ?? ''
  assert.equal(scanQr(payload), payload)
})

test('invalid parts give no code', () => {
  const wrong: readonly Partial<QrPh>[] = [
    { bic: 'DEUTDEFF' },
    { bic: 'GXCHPHM' },
    { store: '' },
    { store: 'a b' },
    { reference: 'x'.repeat(26) },
    { reference: '' },
    { money: { amount: 0n, currency: 'PHP' } },
    { money: { amount: 100n, currency: 'USD' } },
  ]
  for (const change of wrong)
    assert.equal(qrPh({ ...given, ...change }), undefined, Object.keys(change).join())
})
